#include "picture/write/picture_svg.h"

namespace cryo {

// Each family of ops has a tint and a line color: f-NAME { --c: tint; --s: line }.
std::string_view picture_style() {
  return R"(
svg{--bg:#fff;--ink:#18212f;--soft:#5b6675;--line:#8a96a6;--frame:#c9d1dc;--panel:#64748b0a;
background:var(--bg);font-family:Helvetica,Arial,"Liberation Sans",sans-serif}
.t{font-size:13px;font-weight:600;fill:var(--ink)}.d{font-size:11px;fill:var(--soft)}.p{font-size:11px;fill:var(--ink)}
.b{fill:var(--c,#f3f5f8);stroke:var(--s,#94a3b8);stroke-width:1}.b.end{stroke-width:2}
.o{fill:var(--panel);stroke:var(--frame);stroke-width:1}.f{font-size:13px;font-weight:600;fill:var(--soft);paint-order:stroke;stroke:var(--bg);stroke-width:4px}
.tray{stroke-dasharray:4 3}.rule{stroke:var(--s,#94a3b8);stroke-opacity:.4}
.e{fill:none;stroke:var(--line);stroke-width:1.25}.e.control{stroke-dasharray:3 3;stroke-opacity:.7}
.head{fill:var(--line)}.stub{font-size:11px;fill:var(--soft)}.tick{stroke:var(--line);stroke-width:1.25}
.layer{--c:#dbe9fe;--s:#5b8def}.norm{--c:#d6f3e4;--s:#35a877}.activation{--c:#fde3df;--s:#e0705e}
.pool{--c:#d3f2f1;--s:#2a9d9a}.shape{--c:#fbeed3;--s:#c08a2d}.math{--c:#eae4fb;--s:#8d6fd8}
.control{--c:#e6e9ee;--s:#7d8896}.data{--c:#fce2ef;--s:#cf5a98}.other{--c:#eef0f3;--s:#97a1af}
.group{--c:#f6f8fb;--s:#94a3b8}.k0{--c:#e3ecfb;--s:#6a8fd0}.k1{--c:#e1f3e6;--s:#5ba673}.k2{--c:#fbe9dc;--s:#cd8653}
.k3{--c:#f0e4f8;--s:#9f6fc4}.k4{--c:#dff2f6;--s:#4f9fb3}.k5{--c:#fae3e6;--s:#cc6b78}.k6{--c:#f4f0d5;--s:#a8983d}
.k7{--c:#e6e6f4;--s:#7c7cb8}.weights0{--c:#f6f8fb;--s:#cbd5e1}.weights1{--c:#e6eefb;--s:#a9c1ea}
.weights2{--c:#cddffa;--s:#84a9e6}.weights3{--c:#a9c8f7;--s:#5f8fe0}.weights4{--c:#7fabf1;--s:#3f74d1}
.weights5{--c:#5590ea;--s:#285cba}.mixed{--c:#eceff3;--s:#97a1af}.added{--c:#d3f3dc;--s:#2f9e55}
.removed{--c:#fddedd;--s:#d64b45}.changed{--c:#fdf0c8;--s:#c08a12}.same{--c:#f6f8fb;--s:#cbd5e1}
@media (prefers-color-scheme:dark){svg{--bg:#11151c;--ink:#e8edf4;--soft:#9aa7b8;--line:#76849a;--frame:#384457;
--panel:#94a3b80f}.b{--c:#1d2430;--s:#5d6b80}.layer{--c:#16294a;--s:#4a7ad4}.norm{--c:#12352a;--s:#2f9468}
.activation{--c:#43211d;--s:#c9604f}.pool{--c:#0f3534;--s:#2a8f8c}.shape{--c:#3a2d12;--s:#a97a2b}.math{--c:#2b2349;--s:#8068c4}
.control{--c:#262c36;--s:#6d7887}.data{--c:#401f31;--s:#b95288}.other{--c:#222833;--s:#66707f}.group{--c:#1a202b;--s:#5d6b80}
.k0{--c:#1a2a47;--s:#5a7fc0}.k1{--c:#17351f;--s:#4c9464}.k2{--c:#3d2817;--s:#b57747}.k3{--c:#301f40;--s:#8e61b2}
.k4{--c:#13333c;--s:#458d9f}.k5{--c:#41202a;--s:#b65f6b}.k6{--c:#35300f;--s:#968737}.k7{--c:#25254a;--s:#6d6da6}
.weights0{--c:#1a202b;--s:#465368}.weights1{--c:#1a2740;--s:#3b5588}.weights2{--c:#1b3158;--s:#4168ad}
.weights3{--c:#1d3d74;--s:#4d7cce}.weights4{--c:#214c95;--s:#6291e2}.weights5{--c:#2861be;--s:#8fb4f3}
.mixed{--c:#262c36;--s:#6d7887}.added{--c:#143a22;--s:#3fae67}.removed{--c:#48201f;--s:#e0635d}
.changed{--c:#3d3110;--s:#cf9d2a}.same{--c:#1a202b;--s:#465368}}
)";
}

}  // namespace cryo
