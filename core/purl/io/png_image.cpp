#include "purl/io/png_image.h"

#include "purl/base/error.h"
#include "purl/io/byte_source.h"

#include <cstring>
#include <png.h>

namespace purl {

namespace {

constexpr std::uint32_t mostAcross = 20000;       // pixels
constexpr std::uint64_t mostPixels = 4000000;     // stitches; more is no chart
constexpr std::uint64_t mostBytes = 256ull << 20; // of the file

struct Input {
    Span<const std::uint8_t> bytes;
    std::size_t at = 0;
    std::string fault;
};

// libpng reports by a callback that must not return: it jumps to the last setjmp (see Reader).
[[noreturn]] void onError(png_structp png, png_const_charp message) {
    auto* in = static_cast<Input*>(png_get_error_ptr(png));
    in->fault = message;
    png_longjmp(png, 1);
}
void onWarning(png_structp, png_const_charp) {}

void readBytes(png_structp png, png_bytep to, std::size_t n) {
    auto* in = static_cast<Input*>(png_get_io_ptr(png));
    if (n > in->bytes.size() - in->at) png_error(png, "the file is cut short");
    std::memcpy(to, in->bytes.data() + in->at, n);
    in->at += n;
}

// What the header says, as far as it decides.
struct Header {
    png_uint_32 width = 0, height = 0;
    int depth = 0, color = 0, interlace = 0;
    bool transparent = false;
};

std::string refusal(const Header& h) {
    const std::string save = "; save the chart as plain RGB or grey PNG of 8 bits";
    if (h.width == 0 || h.height == 0)
        return "has " + std::to_string(h.width) + " x " + std::to_string(h.height) +
               " pixels, expected at least one";
    if (h.color == PNG_COLOR_TYPE_PALETTE) return "is a palette (indexed) image" + save;
    if ((h.color & PNG_COLOR_MASK_ALPHA) != 0 || h.transparent)
        return "has transparency (alpha)" + save;
    if (h.depth == 16) return "has 16 bits a channel" + save;
    if (h.interlace != PNG_INTERLACE_NONE) return "is interlaced" + save;
    if (static_cast<std::uint64_t>(h.width) * h.height > mostPixels)
        return "has " + std::to_string(h.width) + " x " + std::to_string(h.height) +
               " pixels, expected a chart of at most " + std::to_string(mostPixels) + " stitches";
    return "";
}

class Reader {
public:
    explicit Reader(Input& in) {
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &in, onError, onWarning);
        if (png_) info_ = png_create_info_struct(png_);
        if (!info_) throw std::bad_alloc();
        png_set_user_limits(png_, mostAcross, mostAcross);
        png_set_chunk_cache_max(png_, 16);
        png_set_chunk_malloc_max(png_, 1u << 20);
        png_set_read_fn(png_, &in, readBytes);
    }
    ~Reader() { png_destroy_read_struct(&png_, &info_, nullptr); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    // False on a fault that libpng found: it is in Input::fault. Between setjmp and the calls there
    // is no object to destroy.
    bool header(Header& h) {
        if (setjmp(png_jmpbuf(png_))) return false;
        png_read_info(png_, info_);
        png_get_IHDR(png_, info_, &h.width, &h.height, &h.depth, &h.color, &h.interlace, nullptr,
                     nullptr);
        h.transparent = png_get_valid(png_, info_, PNG_INFO_tRNS) != 0;
        return true;
    }
    bool pixels(Rgb* to, png_uint_32 width, png_uint_32 height) {
        if (setjmp(png_jmpbuf(png_))) return false;
        png_set_expand_gray_1_2_4_to_8(png_);
        png_set_gray_to_rgb(png_);
        png_read_update_info(png_, info_);
        if (png_get_rowbytes(png_, info_) != 3 * static_cast<std::size_t>(width))
            png_error(png_, "rows of an unexpected length");
        for (png_uint_32 y = 0; y < height; ++y)
            png_read_row(png_, reinterpret_cast<png_bytep>(to + std::size_t{y} * width), nullptr);
        png_read_end(png_, nullptr);
        return true;
    }

private:
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
};

} // namespace

ChartImage readChartBytes(Span<const std::uint8_t> bytes, const std::string& name) {
    if (bytes.size() < 8 || png_sig_cmp(bytes.data(), 0, 8) != 0)
        throw Error(name, bytes.empty() ? "is empty, expected a PNG image"
                                        : "is not a PNG image, expected a chart as PNG");
    Input in{bytes, 0, ""};
    // libpng refuses a size of 0 by the name of a chunk; this says it in words.
    if (bytes.size() >= 24)
        for (int side = 0; side < 2; ++side)
            if (std::memcmp(bytes.data() + 16 + 4 * side, "\0\0\0\0", 4) == 0)
                throw Error(name, std::string("is 0 pixels ") + (side == 0 ? "wide" : "high") +
                                      ", expected a stitch a pixel");
    Reader reader(in);
    const auto fail = [&] {
        throw Error(name + ": byte " + std::to_string(in.at),
                    "bad PNG (" + in.fault + "), expected a whole image");
    };
    Header h;
    if (!reader.header(h)) fail();
    if (const std::string why = refusal(h); !why.empty()) throw Error(name, why);
    ChartImage image;
    image.width = static_cast<Index>(h.width);
    image.height = static_cast<Index>(h.height);
    // A row of zeros packs well, but not beyond 1 : 1032 (zlib), so a liar is found out here.
    if (static_cast<std::uint64_t>(h.width) * h.height * 3 / 8 > 1100 * bytes.size())
        throw Error(name, "is cut short: " + std::to_string(bytes.size()) + " bytes for " +
                              std::to_string(h.width) + " x " + std::to_string(h.height) +
                              " pixels");
    image.pixels.resize(static_cast<std::size_t>(h.width) * h.height);
    if (!reader.pixels(image.pixels.data(), h.width, h.height)) fail();
    return image;
}

ChartImage readChart(const std::string& path) {
    const auto file = openFile(path);
    if (file->size() > mostBytes)
        throw Error(path, "has " + std::to_string(file->size()) + " bytes, too many for a chart");
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(file->size()));
    file->read(0, bytes.data(), bytes.size());
    return readChartBytes(bytes, path);
}

} // namespace purl
