//! Who makes the package, and where: `[workspace.package]` of Cargo.toml is the one place to fill in.

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value, json};

use crate::checkout::cargo_metadata;

const PACKAGE: &str = "order-cost";

/// The fields of Cargo.toml that a release needs.
const FILLED_IN: [&str; 3] = ["authors", "homepage", "repository"];

/// What `cargo metadata` says of the package.
pub(crate) struct Project(Value);

impl Project {
    pub(crate) fn read() -> Result<Self> {
        Self::of(cargo_metadata()?)
    }

    fn of(mut metadata: Value) -> Result<Self> {
        let mut packages = metadata["packages"].as_array_mut().into_iter().flatten();
        let package = packages.find(|package| package["name"] == PACKAGE);
        let package =
            package.with_context(|| format!("`cargo metadata` printed no package {PACKAGE}"))?;
        Ok(Self(package.take()))
    }

    /// A field, or the first entry of one that is a list. What is not filled in is empty.
    pub(crate) fn field(&self, name: &str) -> &str {
        let value = &self.0[name];
        value
            .as_str()
            .or(value[0].as_str())
            .unwrap_or_default()
            .trim()
    }

    /// The fields of package.json, without those of which nothing is known.
    pub(crate) fn npm_fields(&self) -> Map<String, Value> {
        let [author, homepage, repository] = FILLED_IN.map(|name| self.field(name));
        let repository = repository.trim_end_matches('/').trim_end_matches(".git");
        let git = json!({ "type": "git", "url": format!("git+{repository}.git") });
        let mut fields = Map::new();
        for (name, known, value) in [
            ("bugs", repository, json!(format!("{repository}/issues"))),
            ("repository", repository, git),
            ("homepage", homepage, json!(homepage)),
            ("author", author, json!(author)),
        ] {
            if !known.is_empty() {
                fields.insert(name.to_owned(), value);
            }
        }
        fields
    }

    /// The repository. The error names what is empty.
    pub(crate) fn is_filled_in(&self) -> Result<String> {
        let empty = Vec::from_iter(
            FILLED_IN
                .into_iter()
                .filter(|name| self.field(name).is_empty()),
        );
        ensure!(
            empty.is_empty(),
            "fill in [workspace.package] of Cargo.toml: {}",
            empty.join(", ")
        );
        // npm compares it with the repository of the workflow, for the provenance.
        Ok(self.field("repository").to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_goes_into_the_manifest_and_what_is_empty_is_named() {
        let package = json!({
            "name": PACKAGE, "authors": [], "homepage": " ",
            "repository": "https://git.example/shop/order-cost/",
        });
        let metadata = json!({ "packages": [{ "name": "xtask" }, package] });
        let project = Project::of(metadata).unwrap();
        let known = json!({
            "bugs": "https://git.example/shop/order-cost/issues",
            "repository": { "type": "git", "url": "git+https://git.example/shop/order-cost.git" },
        });
        assert_eq!(Value::Object(project.npm_fields()), known);
        let error = project.is_filled_in().unwrap_err().to_string();
        assert!(error.ends_with("Cargo.toml: authors, homepage"), "{error}");
    }
}
