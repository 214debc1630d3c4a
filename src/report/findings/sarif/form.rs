//! The parts of the SARIF form that are written; names as in the standard, sections in brackets.

use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// `sarifLog` [3.13].
#[derive(Serialize)]
pub struct Log {
    #[serde(rename = "$schema")]
    pub schema: &'static str,
    pub version: &'static str,
    pub runs: [Run; 1],
}

/// [3.14]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    pub tool: Tool,
    /// Columns count code points.
    pub column_kind: &'static str,
    pub invocations: Vec<Invocation>,
    pub results: Vec<Result>,
}

/// [3.18]
#[derive(Serialize)]
pub struct Tool {
    pub driver: Driver,
}

/// `toolComponent` [3.19].
#[derive(Serialize)]
pub struct Driver {
    pub name: &'static str,
    pub version: &'static str,
    pub rules: Vec<ReportingDescriptor>,
}

/// [3.49]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportingDescriptor {
    pub id: &'static str,
    pub name: String,
    pub short_description: Message,
    pub full_description: Message,
    pub help: Help,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help_uri: Option<String>,
    pub default_configuration: ReportingConfiguration,
}

/// [3.50]
#[derive(Serialize)]
pub struct ReportingConfiguration {
    pub level: &'static str,
}

/// `multiformatMessageString` [3.12].
#[derive(Serialize)]
pub struct Help {
    pub text: String,
    pub markdown: String,
}

/// [3.11]
#[derive(Serialize)]
pub struct Message {
    pub text: String,
}

/// [3.20]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Invocation {
    pub execution_successful: bool,
    pub tool_execution_notifications: Vec<Notification>,
}

/// [3.58]
#[derive(Serialize)]
pub struct Notification {
    pub level: &'static str,
    pub message: Message,
    pub locations: Vec<Location>,
}

/// [3.27]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Result {
    pub rule_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_index: Option<usize>,
    pub kind: &'static str,
    pub level: &'static str,
    pub message: Message,
    pub locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_locations: Vec<Location>,
    pub partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_state: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suppressions: Vec<Suppression>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub properties: Option<Value>,
}

/// [3.35]
#[derive(Serialize)]
pub struct Suppression {
    pub kind: &'static str,
    pub justification: String,
}

/// [3.28]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    pub physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub logical_locations: Vec<LogicalLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
}

/// [3.29]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhysicalLocation {
    pub artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
}

/// [3.4]
#[derive(Serialize)]
pub struct ArtifactLocation {
    pub uri: String,
}

/// [3.30]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Region {
    pub start_line: usize,
    pub start_column: usize,
}

/// [3.33]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogicalLocation {
    pub fully_qualified_name: String,
    pub kind: &'static str,
}
