//! A validator of the part of JSON Schema draft 7 that the SARIF schema uses. An unsupported keyword is an error, so that no
//! check is skipped silently.

use serde_json::Value;

/// The violations of `schema` in `value`, each with its JSON pointer.
pub fn errors(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, schema, value, "", &mut found);
    found
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    for (keyword, wanted) in schema.as_object().expect("a schema is an object") {
        let holds = match keyword.as_str() {
            "$schema" | "$id" | "title" | "description" | "default" | "definitions" => true,
            "type" => {
                wanted.as_str() == Some(type_of(value)) || wanted == "number" && value.is_number()
            }
            "enum" => wanted.as_array().is_some_and(|all| all.contains(value)),
            "required" => {
                strings(wanted).all(|name| !value.is_object() || value.get(name).is_some())
            }
            "minItems" => value
                .as_array()
                .is_none_or(|items| items.len() as u64 >= wanted.as_u64().unwrap()),
            "uniqueItems" => value.as_array().is_none_or(|items| {
                (1..items.len()).all(|index| !items[..index].contains(&items[index]))
            }),
            "minimum" => value
                .as_f64()
                .is_none_or(|number| number >= wanted.as_f64().unwrap()),
            "maximum" => value
                .as_f64()
                .is_none_or(|number| number <= wanted.as_f64().unwrap()),
            "pattern" => value
                .as_str()
                .is_none_or(|text| matches_pattern(wanted.as_str().unwrap(), text)),
            "format" => value
                .as_str()
                .is_none_or(|text| has_format(wanted.as_str().unwrap(), text)),
            "anyOf" | "oneOf" => {
                let fits = |one: &&Value| {
                    let mut found = Vec::new();
                    check(root, one, value, at, &mut found);
                    found.is_empty()
                };
                let fitting = wanted.as_array().unwrap().iter().filter(fits).count();
                fitting == 1 || fitting > 1 && keyword == "anyOf"
            }
            "$ref" | "items" | "properties" | "additionalProperties" => true,
            other => panic!("the keyword `{other}` is not implemented"),
        };
        if !holds {
            found.push(format!("{at}: violates {keyword}: {wanted}"));
        }
    }
    if let Some(name) = schema["$ref"].as_str() {
        let target = root.pointer(name.strip_prefix('#').unwrap());
        check(
            root,
            target.expect("the reference has a target"),
            value,
            at,
            found,
        );
    }
    if let (Some(items), Some(schema)) = (value.as_array(), schema.get("items")) {
        for (index, item) in items.iter().enumerate() {
            check(root, schema, item, &format!("{at}/{index}"), found);
        }
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        let at = format!("{at}/{name}");
        match (
            schema["properties"].get(name),
            schema.get("additionalProperties"),
        ) {
            (Some(schema), _) => check(root, schema, member, &at, found),
            (None, Some(Value::Bool(false))) => found.push(format!("{at}: unknown property")),
            (None, Some(schema @ Value::Object(_))) => check(root, schema, member, &at, found),
            (None, _) => {}
        }
    }
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn matches_pattern(pattern: &str, text: &str) -> bool {
    let letters =
        |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    match pattern {
        "[^/]+/.+" => text
            .trim_start_matches('/')
            .split_once('/')
            .is_some_and(|(_, rest)| !rest.is_empty()),
        "[0-9]+(\\.[0-9]+){3}" => {
            text.split('.')
                .filter(|part| part.parse::<u64>().is_ok())
                .count()
                >= 4
        }
        "^[a-zA-Z]{2}|^[a-zA-Z]{2}-[a-zA-Z]{2}]?$" => text.get(..2).is_some_and(letters),
        pattern if pattern.starts_with("^[0-9a-fA-F]{8}-") => {
            let parts: Vec<&str> = text.split('-').collect();
            parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
                && parts.concat().bytes().all(|byte| byte.is_ascii_hexdigit())
        }
        other => panic!("the pattern `{other}` is not implemented"),
    }
}

fn has_format(format: &str, text: &str) -> bool {
    let is_reference = |text: &str| {
        let escapes = text.split('%').skip(1);
        text.bytes()
            .all(|byte| byte.is_ascii_graphic() && !br#"<>"{}|\^`"#.contains(&byte))
            && escapes
                .map(|rest| rest.get(..2))
                .all(|two| two.is_some_and(|two| u8::from_str_radix(two, 16).is_ok()))
    };
    match format {
        "uri" => {
            is_reference(text)
                && text
                    .split_once(':')
                    .is_some_and(|(scheme, _)| !scheme.contains('/'))
        }
        "uri-reference" => is_reference(text),
        "date-time" => text.len() >= 20 && text.as_bytes()[10] == b'T',
        other => panic!("the format `{other}` is not implemented"),
    }
}
