#include "cloth/drape_scenes.h"

#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace purl;
using namespace purl::test;

TEST(DrapeStudy, DISABLED_Explore) {
    ClothMaterial m = clothPreset(getenv("CL")?getenv("CL"):"denim");
    auto t0 = std::chrono::steady_clock::now();
    auto say=[&](const char*n,int k,const Drape&d){
            const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
            std::printf("%s %d: %.4f folds %d E %.6e its %d res %.2e conv %d, %.2f s\n", n,k,
                        d.figure, d.folds, d.report.energy, d.report.iterations, d.report.residual, d.report.converged, s);
            std::fflush(stdout); t0=std::chrono::steady_clock::now();};
    for(int mode:{4,6}){
       Drape a=cusick({},m,10,mode); say("cusick 10 mode",mode,a);
       Drape b=cusick({},m,20,mode,&a); say("       20",mode,b);
       Drape c=cusick({},m,40,mode,&b); say("       40",mode,c);
    }
    Drape a=hung({},m,10); say("hung",10,a);
    Drape b=hung({},m,20,&a); say("hung",20,b);
    Drape c=hung({},m,40,&b); say("hung",40,c);
    Drape d=hung({},m,40); say("hung fresh",40,d);
}
