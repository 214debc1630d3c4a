//! The page frame: head, style, footer.

use super::html::escaped;

/// Light and dark by preference, black on white in print, with a contrast of at least 4.5.
const STYLE: &str = "
:root{color-scheme:light dark;--page:#ffffff;--ground:#f6f7f9;--text:#1b1f24;--weak:#57606a;--line:#d5dae1;--link:#0b5cad;
--bad:#b42318;--good:#1a7f37;--calm:#8a5a00;--a:#0b5cad;--a-fill:#0b5cad33;--b:#6b7280;--b-fill:#9aa3af55;--hit:#b42318;--normal:#7c3aed}
@media(prefers-color-scheme:dark){:root{--page:#14171c;--ground:#1d2128;--text:#e7eaee;--weak:#a4adb8;--line:#353c46;--link:#7cb7ff;
--bad:#ff8a80;--good:#6fd08c;--calm:#f0b95c;--a:#7cb7ff;--a-fill:#7cb7ff33;--b:#a4adb8;--b-fill:#a4adb833;--hit:#ff8a80;--normal:#c4a5ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif}
main,header,footer{max-width:960px;margin:0 auto;padding:0 20px}
header{padding-top:28px}
h1{font-size:1.7rem;line-height:1.25;margin:0;overflow-wrap:anywhere}
h2{font-size:1.25rem;margin:2.4rem 0 .3rem;border-bottom:1px solid var(--line);padding-bottom:.25rem}
h3{font-size:1.05rem;margin:0;overflow-wrap:anywhere}
h4{font-size:.82rem;margin:0 0 .3rem;color:var(--weak);font-weight:600}
p{margin:.4rem 0}
a{color:var(--link)}
.weak,figcaption,.note{color:var(--weak)}
.file{color:var(--weak);margin:.2rem 0 0;overflow-wrap:anywhere}
.verdict{font-size:1.05rem;font-weight:600;margin:1rem 0}
.bad{color:var(--bad)}.good{color:var(--good)}.calm{color:var(--calm)}
dl.identity{display:flex;flex-wrap:wrap;gap:.4rem 2rem;margin:1rem 0;padding:.7rem 1rem;background:var(--ground);border-radius:6px}
dl.identity div{min-width:5rem}
dt{font-size:.78rem;color:var(--weak)}dd{margin:0;font-variant-numeric:tabular-nums}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.22rem .6rem .22rem 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
th{font-size:.78rem;color:var(--weak);font-weight:600;overflow-wrap:normal}
td.n,th.n{text-align:right;white-space:nowrap}
td.k{white-space:nowrap;overflow-wrap:normal}
article{margin:1.1rem 0;padding:1rem 1.1rem;border:1px solid var(--line);border-left:4px solid var(--bad);border-radius:6px;background:var(--page)}
article.foreseen{border-left-color:var(--calm)}
article .when{color:var(--weak);margin:.1rem 0 .5rem;font-variant-numeric:tabular-nums}
.badge{font-size:.78rem;font-weight:600;border:1px solid currentColor;border-radius:9px;padding:.02rem .5rem;margin-left:.4rem;white-space:nowrap}
.cause{margin:.5rem 0;padding:.5rem .8rem;background:var(--ground);border-radius:6px}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(250px,1fr));gap:.6rem 2rem;margin:.8rem 0}
figure{margin:1rem 0 0}
figcaption{font-size:.82rem;margin-top:.25rem}
.moments{display:grid;grid-template-columns:repeat(auto-fit,minmax(180px,1fr));gap:0 .8rem}
svg{display:block;max-width:100%;height:auto}
svg text{font:11.5px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif}
svg .ground{fill:var(--ground)}
svg .label{fill:var(--text);font-weight:600;paint-order:stroke;stroke:var(--ground);stroke-width:3px;stroke-linejoin:round}
svg .other-name{fill:var(--weak)}
svg .note{fill:var(--weak)}
.mover{fill:var(--a-fill);stroke:var(--a);stroke-width:1.6}
.mover.ghost{stroke-dasharray:4 3;stroke-width:1.2}
.other{fill:var(--b-fill);stroke:var(--b);stroke-width:1.2;stroke-linejoin:round}
.sweep{fill:var(--a);fill-opacity:.13;stroke:none}
.other-sweep{fill:var(--b)}
.path{stroke:var(--a);stroke-width:1;stroke-dasharray:2 3}
.look{stroke:var(--a);fill:var(--a);stroke-width:1.4}
.normal{stroke:var(--normal);fill:var(--normal);stroke-width:1.6}
.contact{fill:var(--hit);stroke:var(--ground);stroke-width:1}
.bar{fill:none;stroke:var(--weak);stroke-width:1.2}
.grid{stroke:var(--line);stroke-width:1}
.zero{stroke:var(--weak);stroke-width:1.2}
.curve{fill:none;stroke:var(--a);stroke-width:1.8;stroke-linejoin:round}
.moment{stroke:var(--hit);stroke-width:1;stroke-dasharray:4 3}
circle.impact{fill:var(--hit)}circle.leaves{fill:var(--page);stroke:var(--hit);stroke-width:1.6}
circle.seen{fill:var(--bad);stroke:var(--page)}circle.unseen{fill:var(--page);stroke:var(--good);stroke-width:2}
.counts td.n,.counts th.n{padding-left:.6rem;padding-right:.6rem}
.counts td:first-child{min-width:7rem}
.counts td.chart{width:26%;padding-left:.6rem;padding-right:0;vertical-align:middle}
@media(max-width:640px){.counts .chart{display:none}section:has(.counts){overflow-x:auto}}
.counts td.chart span{display:block;height:.7rem;min-width:1px;border-radius:2px;background:var(--a)}
.counts td.chart span.good{background:var(--good)}
footer{margin-top:3rem;padding-top:1rem;padding-bottom:2rem;color:var(--weak);font-size:.85rem}
@media print{:root{color-scheme:light;--page:#fff;--ground:#f6f7f9;--text:#000;--weak:#444;--line:#bbb;--link:#000;--bad:#b42318;--good:#1a7f37;--calm:#8a5a00;
--a:#0b5cad;--a-fill:#0b5cad33;--b:#6b7280;--b-fill:#9aa3af55;--hit:#b42318;--normal:#7c3aed}
@page{margin:12mm 14mm}
body{font-size:9pt;line-height:1.35}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
header{padding-top:0}a{text-decoration:none}
main,header,footer{max-width:none;padding-left:0;padding-right:0}
th,td{padding:.09rem .5rem .09rem 0}p{margin:.25rem 0}h2{margin-top:1.2rem}
article{break-inside:avoid;margin:.5rem 0;padding:.5rem .8rem}article .when{margin-bottom:.2rem}
.cause{margin:.3rem 0;padding:.3rem .6rem}.columns{grid-template-columns:2fr 1fr;margin:.4rem 0}.evidence{columns:2;column-gap:1.2rem}
article svg{width:auto;max-height:35mm}article .moments svg{max-height:27mm}
.moments{grid-template-columns:repeat(3,1fr)}
figure{margin-top:.35rem}figcaption{margin-top:.1rem}figure,tr{break-inside:avoid}h2,h3,h4,h2+p{break-after:avoid}}
";

/// The whole page. `title` is plain text, `body` is markup.
pub fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escaped(title)
    )
}
