// Writing PNG files whole or not at all.
#include "preview/image.h"

#include "purl/base/error.h"

#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <png.h>
#include <unistd.h>

namespace purl {
namespace {

// The temporary file of one write: gone again unless it was renamed.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& target)
        : path_(target + ".tmp" + std::to_string(::getpid())) {
        const int handle = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (handle >= 0) file_ = ::fdopen(handle, "wb");
        if (!file_) fail(target, "cannot be created");
    }
    ~TemporaryFile() {
        if (file_) std::fclose(file_);
        if (!path_.empty()) ::unlink(path_.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    std::FILE* file() const { return file_; }
    void renameTo(const std::string& target) {
        if (std::fflush(file_) != 0 || ::fsync(::fileno(file_)) != 0) {
            fail(target, "cannot be written");
        }
        std::FILE* closing = file_;
        file_ = nullptr;
        if (std::fclose(closing) != 0) fail(target, "cannot be written");
        if (std::rename(path_.c_str(), target.c_str()) != 0) fail(target, "cannot be replaced");
        path_.clear();
    }
    [[noreturn]] static void fail(const std::string& target, const std::string& what) {
        const int code = errno;
        throw Error(target, "the picture " + what + ": " + std::strerror(code), Error::Kind::Disk);
    }

private:
    std::string path_;
    std::FILE* file_ = nullptr;
};

// libpng reports by longjmp, so nothing with a destructor lives in here.
bool encode(std::FILE* file, const Image& image) {
    png_structp png = png_create_write_struct(
        PNG_LIBPNG_VER_STRING, nullptr, [](png_structp p, png_const_charp) { png_longjmp(p, 1); },
        [](png_structp, png_const_charp) {}); // nothing is printed
    if (!png) return false;
    png_infop info = png_create_info_struct(png);
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, info ? &info : nullptr);
        return false;
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, static_cast<png_uint_32>(image.width),
                 static_cast<png_uint_32>(image.height), 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (int y = 0; y < image.height; ++y) {
        png_write_row(
            png,
            &image.rgb[3 * static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width)]);
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return true;
}

} // namespace

void writePng(const std::string& path, const Image& image) {
    if (image.width < 1 || image.height < 1) {
        throw Error(path, "the picture is empty, expected at least one pixel");
    }
    TemporaryFile temporary(path);
    if (!encode(temporary.file(), image)) TemporaryFile::fail(path, "cannot be written");
    temporary.renameTo(path);
}

} // namespace purl
