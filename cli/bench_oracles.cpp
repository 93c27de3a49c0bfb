#include "cli/bench_oracles.h"

#include "purl/base/error.h"
#include "purl/crossing/oracles.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

namespace purl::cli {

namespace {
using Json = nlohmann::ordered_json;

// What is plotted and, of all these points, how far off they may be (physics 9).
struct Shown {
    Oracle oracle;
    double bar;
    bool relative; // else in the units of the plot
    int from;      // first point that counts: a plateau begins late
    double worst = 0;
};

std::vector<Shown> measured() {
    std::vector<double> shear, strains;
    for (int k = 1; k <= 16; ++k) shear.push_back(0.04 * k);
    for (int k = 1; k <= 10; ++k) strains.push_back(0.003 * k);
    std::vector<Shown> all{{pictureFrameOracle(shear), 0.01, true, 0},
                           {uniaxialOracle(strains), 0.01, true, 0},
                           {biasOracle(8), 2, false, 0},
                           {pullOutOracle(60), 0.1, true, 40}};
    for (Shown& s : all)
        for (std::size_t k = s.from; k < s.oracle.points.size(); ++k) {
            const OraclePoint& p = s.oracle.points[k];
            const double off = std::abs(p.found - p.byHand);
            s.worst = std::max(s.worst, s.relative ? off / p.byHand : off);
        }
    return all;
}

std::string number(double v) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", v);
    return text;
}

// One plot of 340 by 220 with its corner at (left, top).
void plot(const Oracle& o, double left, double top, std::ostream& f) {
    constexpr double kWidth = 340, kHeight = 220;
    double right = 0, high = 0;
    for (const OraclePoint& p : o.points) {
        right = std::max(right, p.at);
        high = std::max({high, p.found, p.byHand});
    }
    high *= 1.1;
    const double bottom = top + kHeight;
    const auto x = [&](double v) { return left + kWidth * v / right; };
    const auto y = [&](double v) { return bottom - kHeight * v / high; };
    f << "<text x=\"" << left << "\" y=\"" << top - 10 << "\" font-weight=\"bold\">" << o.name
      << "</text>\n<path d=\"M" << left << ' ' << top << 'v' << kHeight << 'h' << kWidth
      << "\" fill=\"none\" stroke=\"#444\"/>\n";
    for (int k = 0; k <= 4; ++k)
        f << "<text x=\"" << x(right * k / 4) << "\" y=\"" << bottom + 16
          << "\" text-anchor=\"middle\" fill=\"#444\">" << number(right * k / 4)
          << "</text>\n<text x=\"" << left - 5 << "\" y=\"" << y(high * k / 4) + 4
          << "\" text-anchor=\"end\" fill=\"#444\">" << number(high * k / 4) << "</text>\n";
    f << "<text x=\"" << left + kWidth / 2 << "\" y=\"" << bottom + 33
      << "\" text-anchor=\"middle\">" << o.across << "</text>\n<text x=\"" << left - 40 << "\" y=\""
      << top + kHeight / 2 << "\" transform=\"rotate(-90 " << left - 40 << ' ' << top + kHeight / 2
      << ")\" text-anchor=\"middle\">" << o.up << "</text>\n"
      << "<polyline fill=\"none\" stroke=\"#c60\" stroke-width=\"2\" points=\"";
    for (const OraclePoint& p : o.points) f << x(p.at) << ',' << y(p.byHand) << ' ';
    f << "\"/>\n";
    for (const OraclePoint& p : o.points)
        f << "<circle cx=\"" << x(p.at) << "\" cy=\"" << y(p.found)
          << "\" r=\"3\" fill=\"#06c\"/>\n";
}

std::string picture(const std::vector<Shown>& all) {
    std::ostringstream f;
    f.precision(4);
    f << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"840\" height=\"600\" "
         "font-family=\"sans-serif\" font-size=\"12\">\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    for (std::size_t k = 0; k < all.size(); ++k)
        plot(all[k].oracle, 60 + 420.0 * (k % 2), k < 2 ? 30 : 315, f);
    f << "<text x=\"240\" y=\"596\"><tspan fill=\"#06c\">dots: the solver</tspan>, <tspan "
         "fill=\"#c60\">lines: worked out by hand (pull-out: sum of mu F_n)</tspan></text>\n"
         "</svg>\n";
    return f.str();
}
} // namespace

void benchOracles(const std::string& path, bool json) {
    const std::vector<Shown> all = measured();
    if (!path.empty()) {
        std::ofstream f(path);
        f << picture(all);
        if (!f.flush()) throw Error(path, "cannot be written");
    }
    Json out = Json::array();
    for (const Shown& s : all) {
        Json points = Json::array();
        for (const OraclePoint& p : s.oracle.points) points.push_back({p.at, p.found, p.byHand});
        out.push_back({{"name", s.oracle.name},
                       {"worst", s.worst},
                       {"bar", s.bar},
                       {"relative", s.relative},
                       {"points", points}});
        if (json) continue;
        const double unit = s.relative ? 100 : 1;
        std::printf("  %-16s off by %.2g %s at most (bar %g)\n", s.oracle.name.c_str(),
                    unit * s.worst, s.relative ? "%" : "degrees", unit * s.bar);
    }
    if (json) std::cout << out.dump(2) << "\n";
}

} // namespace purl::cli
