//! The packed package.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::tools::npm;

/// The packed package, and npm's description of it.
pub(crate) struct Tarball {
    pub(crate) file: PathBuf,
    told: Value,
}

impl Tarball {
    /// npm's hash of its bytes.
    pub(crate) fn integrity(&self) -> &str {
        self.told["integrity"].as_str().unwrap_or_default()
    }

    /// Packs a package into `folder`.
    pub(crate) fn pack(package: &Path, folder: &Path) -> Result<Self> {
        let told = npm(["pack", "--json"])?.dir(package);
        let told = told
            .env("npm_config_pack_destination", folder)
            .stderr_null()
            .read()?;
        let mut told: Value =
            serde_json::from_str(&told).context("npm pack printed no valid JSON")?;
        let told = told
            .get_mut(0)
            .map(Value::take)
            .context("npm pack packed nothing")?;
        let name = told["filename"]
            .as_str()
            .context("npm pack named no file")?;
        Ok(Self {
            file: folder.join(name),
            told,
        })
    }

    /// The files and their sizes.
    pub(crate) fn print_contents(&self) {
        let told = &self.told;
        println!("\n{:>10}  file", "bytes");
        for file in told["files"].as_array().into_iter().flatten() {
            let path = file["path"].as_str().unwrap_or_default();
            println!("{:>10}  {path}", file["size"].as_u64().unwrap_or_default());
        }
        let [packed, unpacked, count] = ["size", "unpackedSize", "entryCount"]
            .map(|key| told[key].as_u64().unwrap_or_default());
        println!("\n{count} files, {unpacked} bytes, packed {packed}");
        println!("{}", self.integrity());
    }
}
