//! Serves everything locally: the page, the Worker and its services in one workerd, with seeded key-value stores.

use std::ffi::OsStr;
use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use console::style;

use crate::files::make_empty;
use crate::node::{self, node};
use crate::package;
use crate::paths::{root, work_directory};
use crate::server::Server;
use crate::steps::step;

/// Builds, seeds and serves until a signal arrives.
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
            format!("cannot listen on 127.0.0.1:{port}; choose another port with --port")
        })
        .map(drop)
}

/// Publishes the seed in the local key-value stores, unless they already have it.
fn seed() -> Result<()> {
    let data = work_directory()?.join("seed");
    make_empty(&data)?;
    step("publish the seed", |step| {
        let arguments = [OsStr::new("--data"), data.as_os_str()];
        step.run(node("worker/seed/generate.mjs", arguments))?;
        step.run(node("xtask/seed.mjs", [&data]))
    })
}

/// An order that the seed can price, on one line.
fn sample_order() -> Result<String> {
    let file = root("worker/seed/orders/regular.json");
    let order: serde_json::Value = serde_json::from_slice(&fs::read(file)?)?;
    Ok(order.to_string())
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
    println!(
        "Press Ctrl-C to stop. After a change to src/, pkg-template/ or www/, start it again.\n"
    );
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
            format!("cannot listen on 127.0.0.1:{port}; choose another port with --port")
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
