//! Who makes the package, and where: `[workspace.package]` of Cargo.toml is the one place to fill in.

use anyhow::{Context, Result, ensure};
use duct::cmd;
use serde_json::{Map, Value, json};

use crate::checkout::root;

const PACKAGE: &str = "order-cost";

/// What is not filled in is empty.
pub(crate) struct Project {
    author: String,
    homepage: String,
    repository: String,
}

impl Project {
    pub(crate) fn read() -> Result<Self> {
        let metadata = cmd!("cargo", "metadata", "--no-deps", "--format-version", "1")
            .dir(root(""))
            .read()?;
        Self::of(&metadata)
    }

    fn of(metadata: &str) -> Result<Self> {
        let metadata: Value = serde_json::from_str(metadata)?;
        let package = metadata["packages"]
            .as_array()
            .and_then(|packages| packages.iter().find(|package| package["name"] == PACKAGE))
            .with_context(|| format!("`cargo metadata` printed no package {PACKAGE}"))?;
        let text = |value: &Value| value.as_str().unwrap_or_default().trim().to_owned();
        Ok(Self {
            author: text(&package["authors"][0]),
            homepage: text(&package["homepage"]),
            repository: text(&package["repository"])
                .trim_end_matches('/')
                .trim_end_matches(".git")
                .to_owned(),
        })
    }

    /// The fields of package.json, without empty ones.
    pub(crate) fn npm_fields(&self) -> Map<String, Value> {
        let Self {
            author,
            homepage,
            repository,
        } = self;
        let mut fields = Map::new();
        let mut add = |name: &str, is_known: &str, value: Value| {
            if !is_known.is_empty() {
                fields.insert(name.to_owned(), value);
            }
        };
        add("bugs", repository, json!(format!("{repository}/issues")));
        add(
            "repository",
            repository,
            json!({ "type": "git", "url": format!("git+{repository}.git") }),
        );
        add("homepage", homepage, json!(homepage));
        add("author", author, json!(author));
        fields
    }

    /// The repository. The error names what is empty.
    pub(crate) fn is_filled_in(&self) -> Result<String> {
        let fields = [
            ("authors", &self.author),
            ("homepage", &self.homepage),
            ("repository", &self.repository),
        ];
        let empty: Vec<_> = fields
            .iter()
            .filter(|(_, value)| value.is_empty())
            .map(|(name, _)| *name)
            .collect();
        ensure!(
            empty.is_empty(),
            "fill in [workspace.package] of Cargo.toml: {}",
            empty.join(", ")
        );
        // npm compares it with the repository of the workflow, for the provenance.
        Ok(self.repository.clone())
    }
}

/// Whether CODEOWNERS names anybody. GitHub reads it as it is, so it cannot be derived.
pub(crate) fn has_owners(codeowners: &str) -> Result<String> {
    let rule = codeowners
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with('#'))
        .context("name who reviews in .github/CODEOWNERS: it has comments only")?;
    Ok(rule.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(author: &str, homepage: &str, repository: &str) -> Project {
        let package = json!({
            "name": PACKAGE, "authors": [author], "homepage": homepage, "repository": repository,
        });
        let metadata = json!({ "packages": [{ "name": "xtask" }, package] });
        Project::of(&metadata.to_string()).expect("the package is there")
    }

    #[test]
    fn what_is_filled_in_goes_into_the_manifest() {
        let project = project(
            "Ann <ann@shop.example>",
            "https://shop.example/pricing",
            "https://git.example/shop/order-cost/",
        );
        let expected = json!({
            "bugs": "https://git.example/shop/order-cost/issues",
            "repository": { "type": "git", "url": "git+https://git.example/shop/order-cost.git" },
            "homepage": "https://shop.example/pricing",
            "author": "Ann <ann@shop.example>",
        });
        assert_eq!(Value::Object(project.npm_fields()), expected);
        assert!(project.is_filled_in().is_ok());
    }

    #[test]
    fn what_is_empty_is_named_and_left_out() {
        let nothing =
            Project::of(&json!({ "packages": [{ "name": PACKAGE, "authors": [] }] }).to_string())
                .expect("the package is there");
        assert!(nothing.npm_fields().is_empty());
        let project = project("Ann", " ", "");
        assert_eq!(Vec::from_iter(project.npm_fields().keys()), ["author"]);
        let error = project
            .is_filled_in()
            .expect_err("two are empty")
            .to_string();
        assert_eq!(
            error,
            "fill in [workspace.package] of Cargo.toml: homepage, repository"
        );
    }

    #[test]
    fn owners_are_no_comment() {
        assert!(has_owners("# * @shop/pricing\n\n").is_err());
        assert_eq!(
            has_owners("# Who reviews.\n* @shop/pricing\n").expect("a rule"),
            "* @shop/pricing"
        );
    }
}
