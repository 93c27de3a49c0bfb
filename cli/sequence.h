// Sequences of files: names with a frame number in them, and ranges of frames.
#pragma once

#include <string>
#include <vector>

namespace purl::cli {

struct FrameRange {
    int first = 1, last = 1;
    int count() const { return last - first + 1; }
};

// "1-48" or "7". Throws Error naming `where`.
FrameRange parseRange(const std::string& text, const std::string& where);
// "1-48", "1-48x6" (every sixth) or "1,8,20-24"; ascending, each once.
std::vector<int> parseFrames(const std::string& text, const std::string& where);

// Whether the name has a place for the frame number: $F, $F4, %d, %04d or ####.
bool hasFrame(const std::string& pattern);
// The name of one frame; a name without a place stays as it is.
std::string framePath(const std::string& pattern, int frame);

struct SequenceFile {
    int frame;
    std::string path;
};

// What is on disk of a sequence: a name with a place for the frame, a glob ("out/f.*.geo"), or one
// file. Sorted by frame. Throws Error if there is none.
std::vector<SequenceFile> findSequence(const std::string& name);
// Of several names (a shell may have put them there for a glob), together.
std::vector<SequenceFile> findSequences(const std::vector<std::string>& names);

// Makes the folder that a file will be in. Throws Error of kind Disk.
void makeFolderOf(const std::string& path);

} // namespace purl::cli
