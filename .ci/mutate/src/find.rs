//! The places of a file that can be changed, and what each is changed to.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ReturnType, Type, UnOp};

/// One change of one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Mutant {
    pub file: String,
    pub line: usize,
    /// Bytes of the file. Empty: the start of a function's body, at which `becomes` is inserted.
    pub place: Range<usize>,
    pub becomes: String,
    /// Names it in the lists, the same after changes elsewhere in the file.
    pub name: String,
}

/// All mutants of a file, in its order. None of a file that does not parse.
pub fn find(file: &str, text: &str) -> Vec<Mutant> {
    let Ok(syntax) = syn::parse_file(text) else {
        return Vec::new();
    };
    let mut finder = Finder {
        file,
        text,
        function: String::new(),
        found: Vec::new(),
    };
    finder.visit_file(&syntax);
    let mut found = finder.found;
    // Equal changes in one function are numbered.
    let names = Vec::from_iter(found.iter().map(|mutant| mutant.name.clone()));
    for (i, mutant) in found.iter_mut().enumerate() {
        let before = names[..i].iter().filter(|name| **name == names[i]).count();
        if before > 0 {
            mutant.name += &format!(" ({})", before + 1);
        }
    }
    found
}

struct Finder<'a> {
    file: &'a str,
    text: &'a str,
    function: String,
    found: Vec<Mutant>,
}

impl Finder<'_> {
    fn source(&self, part: &impl Spanned) -> String {
        self.text
            .get(part.span().byte_range())
            .unwrap_or_default()
            .to_owned()
    }

    /// `part` as it was becomes `becomes`.
    fn add(&mut self, part: &impl Spanned, becomes: String) {
        let was = short(&self.source(part));
        let name = format!("{was} -> {}", short(&becomes));
        self.push(
            part.span().start().line,
            part.span().byte_range(),
            becomes,
            &name,
        );
    }

    fn push(&mut self, line: usize, place: Range<usize>, becomes: String, name: &str) {
        let name = format!("{} {}: {name}", self.file, self.function);
        self.found.push(Mutant {
            file: self.file.to_owned(),
            line,
            place,
            becomes,
            name,
        });
    }

    /// A function: its body replaced by each simple value of its type, and what is in it.
    fn function(
        &mut self,
        signature: &syn::Signature,
        attributes: &[syn::Attribute],
        body: &syn::Block,
    ) {
        if signature.constness.is_some() || conditional(attributes) {
            return;
        }
        let outer = std::mem::replace(&mut self.function, signature.ident.to_string());
        let at = body.brace_token.span.open().byte_range().end;
        let line = signature.ident.span().start().line;
        if !body.stmts.is_empty() && signature.asyncness.is_none() {
            for value in simple_values(&signature.output) {
                self.push(
                    line,
                    at..at,
                    format!("return {value};"),
                    &format!("body -> {value}"),
                );
            }
        }
        visit::visit_block(self, body);
        self.function = outer;
    }

    fn binary(&mut self, whole: &syn::ExprBinary) {
        let others: &[&str] = match whole.op {
            BinOp::Lt(_) => &["<=", ">"],
            BinOp::Le(_) => &["<", ">"],
            BinOp::Gt(_) => &[">=", "<"],
            BinOp::Ge(_) => &[">", "<"],
            BinOp::Eq(_) => &["!=", ">="],
            BinOp::Ne(_) => &["==", ">"],
            // A chain with `let` is no expression of its own.
            BinOp::And(_) | BinOp::Or(_) if has_let(&whole.left) || has_let(&whole.right) => &[],
            BinOp::And(_) => &["||"],
            BinOp::Or(_) => &["&&"],
            BinOp::Add(_) => &["-"],
            BinOp::Sub(_) => &["+"],
            BinOp::Mul(_) => &["/"],
            BinOp::Div(_) => &["*"],
            BinOp::AddAssign(_) => &["-="],
            BinOp::SubAssign(_) => &["+="],
            BinOp::MulAssign(_) => &["/="],
            BinOp::DivAssign(_) => &["*="],
            _ => &[],
        };
        let assigns = others
            .first()
            .is_some_and(|other| other.len() == 2 && "+-*/".contains(&other[..1]));
        let (left, right) = (self.source(&whole.left), self.source(&whole.right));
        for other in others {
            let becomes = if assigns {
                format!("{left} {other} {right}")
            } else {
                format!("({left}) {other} ({right})")
            };
            let was = self.source(&whole.op);
            let name = format!("{} [{was}] {} -> {other}", short(&left), short(&right));
            self.push(
                whole.op.span().start().line,
                whole.span().byte_range(),
                becomes,
                &name,
            );
        }
    }
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_expr(&mut self, whole: &'a Expr) {
        match whole {
            Expr::Binary(binary) if binary.attrs.is_empty() => self.binary(binary),
            Expr::Unary(unary)
                if unary.attrs.is_empty() && matches!(unary.op, UnOp::Not(_) | UnOp::Neg(_)) =>
            {
                self.add(unary, self.source(&unary.expr));
            }
            _ => {}
        }
        visit::visit_expr(self, whole);
    }

    fn visit_arm(&mut self, arm: &'a syn::Arm) {
        if conditional(&arm.attrs) {
            return;
        }
        if let Some((_, guard)) = &arm.guard
            && !has_let(guard)
        {
            self.add(&**guard, "true".to_owned());
            self.add(&**guard, "false".to_owned());
        }
        visit::visit_arm(self, arm);
    }

    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.function(&item.sig, &item.attrs, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.function(&item.sig, &item.attrs, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'a syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.function(&item.sig, &item.attrs, body);
        }
    }

    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if !conditional(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        if !conditional(&item.attrs) {
            visit::visit_item_impl(self, item);
        }
    }

    // The length of an array, an argument of a type: known to the compiler, which a mutant is not.
    fn visit_expr_repeat(&mut self, repeat: &'a syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }
    fn visit_type(&mut self, _: &'a Type) {}
    fn visit_generic_argument(&mut self, _: &'a syn::GenericArgument) {}
    fn visit_expr_const(&mut self, _: &'a syn::ExprConst) {}
    fn visit_item_const(&mut self, _: &'a syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'a syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'a syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'a syn::TraitItemConst) {}
    fn visit_item_enum(&mut self, _: &'a syn::ItemEnum) {}
    fn visit_attribute(&mut self, _: &'a syn::Attribute) {}
    fn visit_pat(&mut self, _: &'a syn::Pat) {}
}

/// Code that is not in every build, and tests.
fn conditional(attributes: &[syn::Attribute]) -> bool {
    attributes
        .iter()
        .any(|attribute| attribute.path().is_ident("cfg") || attribute.path().is_ident("test"))
}

/// `a && let b = c && d` has a `let` among its terms.
fn has_let(term: &Expr) -> bool {
    match term {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// Values that a function with this result may return; the compiler says which it may not.
fn simple_values(output: &ReturnType) -> Vec<&'static str> {
    let ReturnType::Type(_, output) = output else {
        return vec!["()"];
    };
    let Type::Path(path) = &**output else {
        return Vec::new();
    };
    let Some(last) = path.path.segments.last() else {
        return Vec::new();
    };
    match last.ident.to_string().as_str() {
        "bool" => vec!["true", "false"],
        "f64" | "f32" => vec!["0.0", "1.0"],
        "usize" | "u8" | "u16" | "u32" | "u64" | "i8" | "i16" | "i32" | "i64" => vec!["0", "1"],
        "Option" => vec!["None"],
        "Result" => vec!["Ok(Default::default())"],
        _ => vec!["Default::default()"],
    }
}

/// In one line of at most 40 letters.
fn short(text: &str) -> String {
    let line = Vec::from_iter(text.split_whitespace()).join(" ");
    if line.chars().count() <= 40 {
        return line;
    }
    let letters = Vec::from_iter(line.chars());
    let (head, tail) = (&letters[..20], &letters[letters.len() - 17..]);
    format!("{}...{}", String::from_iter(head), String::from_iter(tail))
}
