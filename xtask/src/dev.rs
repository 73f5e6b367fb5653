//! The whole thing served locally: page, Worker and services in one workerd, over seeded key-value stores.

use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use console::style;

use crate::files::{make_empty, matching};
use crate::node::{self, node};
use crate::package;
use crate::paths::{root, work_directory};
use crate::steps::step;
use crate::wrangler::{self, Server};

/// Builds, seeds and serves until a signal comes.
pub(crate) fn run(port: u16) -> Result<()> {
    ensure_free(port)?;
    package::build()?;
    node::install("worker")?;
    seed()?;
    let order = sample_order()?;
    let site = format!("http://127.0.0.1:{port}");
    let stop = stop_on_signal()?;
    let server = Server::start(port)?;
    step("start workerd", |_| {
        server.wait_for_price(&site, &order, &stop)
    })?;
    print_welcome(&site, &order);
    server.serve(&stop)
}

fn ensure_free(port: u16) -> Result<()> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .with_context(|| {
            format!("cannot listen on 127.0.0.1:{port}, choose another port with --port")
        })
        .map(drop)
}

/// Fills the local key-value stores, unless they hold the same already.
fn seed() -> Result<()> {
    let seed = work_directory()?.join("seed");
    make_empty(&seed)?;
    step("generate the seed", |step| {
        step.run(node(
            "worker/seed/generate.mjs",
            [OsStr::new("--kv"), seed.as_os_str()],
        ))
    })?;
    let stores = matching(&seed.join("*.json"))?;
    let state = root("worker/.wrangler/state");
    let (stamp, hash) = (state.join("seeded"), hash_of(&stores)?);
    if fs::read_to_string(&stamp).is_ok_and(|seeded| seeded == hash) {
        return Ok(());
    }
    // A key that an older seed put there would be a price that no longer exists.
    make_empty(&state)?;
    stores.iter().try_for_each(|store| put(store))?;
    fs::write(stamp, hash).context("cannot note that the stores are seeded")
}

/// `prices.json` goes into the binding PRICES.
fn put(store: &Path) -> Result<()> {
    let binding = store
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .to_uppercase();
    let args = ["kv", "bulk", "put", "--local", "--binding", &binding].map(OsStr::new);
    let command = wrangler::command(args.into_iter().chain([store.as_os_str()]));
    step(&format!("seed {binding}"), |step| step.run(command))
}

/// Equal for equal files, which is all that a stamp needs: another Rust's hash only seeds once more.
fn hash_of(files: &[PathBuf]) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.hash(&mut hasher);
        fs::read(file)?.hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// The shortest of the seed's orders, on one line.
fn sample_order() -> Result<String> {
    let mut orders = Vec::new();
    for file in matching(&root("worker/seed/orders/*.json"))? {
        let order: serde_json::Value = serde_json::from_slice(&fs::read(&file)?)
            .with_context(|| format!("{} is no JSON", file.display()))?;
        orders.push(order.to_string());
    }
    orders
        .into_iter()
        .min_by_key(String::len)
        .context("worker/seed/orders holds no order")
}

fn stop_on_signal() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))?;
    Ok(stop)
}

fn print_welcome(site: &str, order: &str) {
    let page = style(format!("{site}/")).cyan().bold();
    println!("\nPage   {page}\nOrders {site}/calculatecost4\n");
    println!("{}\n", curl(&format!("{site}/calculatecost4"), order));
    println!("Ctrl-C ends it. After a change to src/, pkg-template/ or www/, run it again.\n");
}

fn curl(url: &str, order: &str) -> String {
    let order = order.replace('\'', r"'\''");
    format!("curl {url} -H 'content-type: application/json' -d '{order}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_is_refused() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        let refusal = ensure_free(port).unwrap_err().to_string();
        assert_eq!(
            refusal,
            format!("cannot listen on 127.0.0.1:{port}, choose another port with --port")
        );
    }

    #[test]
    fn the_order_survives_the_shell() {
        let order = r#"{"remark":"it's $HOME `x` \"y\""}"#;
        let command = curl("http://h/", order).replace("curl", "printf '%s\n'");
        let echoed = duct::cmd!("sh", "-c", command).read().unwrap();
        assert_eq!(echoed.lines().last(), Some(order));
    }
}
