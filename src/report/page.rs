//! The page frame: head, style, footer.

use super::html::escaped;
use super::svg::{style_sheet, variable, variables};

/// Colours besides those of drawings, with a contrast of at least 4.5 to the page.
const LIGHT: &str = "--page:#ffffff;--line:#d5dae1;--link:#0b5cad;--bad:#b42318;--calm:#8a5a00";
const DARK: &str = "--page:#14171c;--line:#353c46;--link:#7cb7ff;--bad:#ff8a80;--calm:#f0b95c";

/// Shapes and sizes, also in print.
const STYLE: &str = "
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
.bad{color:var(--bad)}.good{color:var(--allowed)}.calm{color:var(--calm)}
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
svg{display:block;max-width:100%;height:auto}
.grid{stroke:var(--line);stroke-width:1}
.zero{stroke:var(--weak);stroke-width:1.2}
.curve{fill:none;stroke:var(--mover);stroke-width:1.8;stroke-linejoin:round}
.moment{stroke:var(--impact);stroke-width:1;stroke-dasharray:4 3}
circle.impact{fill:var(--impact)}circle.leaves{fill:var(--page);stroke:var(--impact);stroke-width:1.6}
circle.seen{fill:var(--bad);stroke:var(--page)}circle.unseen{fill:var(--page);stroke:var(--allowed);stroke-width:2}
.counts td.n,.counts th.n{padding-left:.6rem;padding-right:.6rem}
.counts td:first-child{min-width:7rem}
.counts td.chart{width:26%;padding-left:.6rem;padding-right:0;vertical-align:middle}
@media(max-width:640px){.counts .chart{display:none}section:has(.counts){overflow-x:auto}}
.counts td.chart span{display:block;height:.7rem;min-width:1px;border-radius:2px;background:var(--mover)}
.counts td.chart span.good{background:var(--allowed)}
footer{margin-top:3rem;padding-top:1rem;padding-bottom:2rem;color:var(--weak);font-size:.85rem}
@media print{@page{margin:12mm 14mm}
body{font-size:9pt;line-height:1.35}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
header{padding-top:0}a{text-decoration:none}
main,header,footer{max-width:none;padding-left:0;padding-right:0}
th,td{padding:.09rem .5rem .09rem 0}p{margin:.25rem 0}h2{margin-top:1.2rem}
article{break-inside:avoid;margin:.5rem 0;padding:.5rem .8rem}article .when{margin-bottom:.2rem}
.cause{margin:.3rem 0;padding:.3rem .6rem}.columns{grid-template-columns:2fr 1fr;margin:.4rem 0}.evidence{columns:2;column-gap:1.2rem}
article svg{width:auto;max-height:60mm}
figure{margin-top:.35rem}figcaption{margin-top:.1rem}figure,tr{break-inside:avoid}h2,h3,h4,h2+p{break-after:avoid}}
";

/// The style sheet: light and dark by preference, light in print.
pub fn style() -> String {
    let light = format!("{}{LIGHT}", variables(false));
    let dark = format!("{}{DARK}", variables(true));
    let drawings = style_sheet(&|role| format!("var({})", variable(role)));
    format!(
        "\n:root{{color-scheme:light dark;{light}}}\n@media(prefers-color-scheme:dark){{:root{{{dark}}}}}\n\
         @media print{{:root{{color-scheme:light;{light};--text:#000}}}}\n{drawings}{STYLE}"
    )
}

/// The whole page. `title` is plain text, `body` is markup.
pub fn page(title: &str, body: &str) -> String {
    page_with(title, body, "", "")
}

/// The same with more style and more of a policy on content.
pub fn page_with(title: &str, body: &str, more_style: &str, policy: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; {policy}\"/>\n\
         <title>{}</title>\n<style>{}{more_style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escaped(title),
        style()
    )
}
