//! Serves everything locally: the page, the documents, the Worker and its services in one workerd, with seeded key-value stores.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use console::style;
use serde::Deserialize;
use serde_json::Value;

use super::server::Server;
use crate::checkout::{make_empty, work_directory};
use crate::package;
use crate::site::build_docs;
use crate::steps::step;
use crate::tools::node;

/// Builds, seeds and serves until a signal arrives: the page and the Worker, or the shadow Worker and both sides.
pub(crate) fn run(port: u16, shadow: bool) -> Result<()> {
    let last = if shadow { port + 2 } else { port };
    (port..=last).try_for_each(ensure_free)?;
    if shadow {
        package::build_beside(&["worker"])?;
    } else {
        package::build_beside(&["worker", "www/docs"])?;
        build_docs()?;
    }
    let sample = seed()?;
    let order = sample.order.to_string();
    let stop = stop_on_signal()?;
    let server = if shadow {
        Server::start_shadow(port)?
    } else {
        Server::start(port)?
    };
    // Not of the shadow Worker: it would ask the old service too, which may be a real one.
    let pricing = site(if shadow { port + 1 } else { port });
    step("start workerd", |_| {
        server.wait_for_price(&pricing, &order, &stop)
    })?;
    if shadow {
        print_shadow_welcome(port, &order);
    } else {
        print_welcome(port, &order);
    }
    print_version(&sample);
    server.serve(&stop)
}

fn site(port: u16) -> String {
    format!("http://127.0.0.1:{port}")
}

fn ensure_free(port: u16) -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    listener.map(drop).with_context(|| {
        format!("cannot listen on 127.0.0.1:{port}; choose another port with --port")
    })
}

/// What `seed.mjs` found in the store of prices.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sample {
    version: String,
    is_seed: bool,
    /// An order that the version in use can price
    order: Value,
}

/// Publishes the seed in the local key-value stores, unless they already have it, or a version of the user's own.
fn seed() -> Result<Sample> {
    let data = work_directory()?.join("seed");
    make_empty(&data)?;
    step("publish the seed", |step| {
        let arguments = [OsStr::new("--data"), data.as_os_str()];
        step.run(node("worker/seed/generate.mjs", arguments))?;
        step.run(node("xtask/shop/seed.mjs", [&data]))?;
        let sample = fs::read(data.join("sample.json"))?;
        Ok(serde_json::from_slice(&sample)?)
    })
}

fn stop_on_signal() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))?;
    Ok(stop)
}

fn print_welcome(port: u16, order: &str) {
    let site = site(port);
    let page = style(format!("{site}/")).cyan().bold();
    println!("\nPage   {page}\nDocs   {site}/docs/\nOrders {site}/calculatecost4\n");
    println!("{}\n", curl(&site, order));
}

fn print_shadow_welcome(port: u16, order: &str) {
    let [shadow, new, double] = [0, 1, 2].map(|place| site(port + place));
    let own = env::var("LEGACY_URL").ok().filter(|url| !url.is_empty());
    let front = style(&shadow).cyan().bold();
    println!("\nShadow {front}  answers as SERVE says, asks both, and compares");
    println!("New    {new}  the pricing Worker");
    let order = curl(&shadow, order);
    if let Some(url) = own {
        println!("Old    {url}  your old service\n\n{order}\n");
    } else {
        println!("Old    {double}  a double of the old service\n\n{order}\n");
        println!("The same order, which the old service now prices otherwise:\n");
        println!("{order} -H 'x-legacy-differences: rowTotal,halfSatang'\n");
    }
    println!("{SHADOW_HINTS}");
}

const SHADOW_HINTS: &str = "\
Each comparison is a line below, with \"event\":\"shadow\". Each start empties the
store of captures. To look at those of this one, in worker/:

npm run captures -- captures
npx order-cost replay captures --against legacy

Set variables of the shadow Worker, policies of the new one and DIFFERENCES of the double:

SERVE=calculatecost4=new DIFFERENCES=rowTotal:0.2,floats cargo xtask dev --shadow

www/docs/service/migrate.md says how to move a shop.
";

fn print_version(
    Sample {
        version, is_seed, ..
    }: &Sample,
) {
    if !is_seed {
        println!("The Worker prices with your version {version}. The page stays the demo shop,");
        println!("with its own products and prices.\n");
    }
    println!("A version that you activate prices the next order (www/docs/service/data.md).\n");
    println!(
        "Press Ctrl-C to stop. After a change to src/, pkg-template/ or www/, start it again.\n"
    );
}

/// The command that sends an order.
fn curl(site: &str, order: &str) -> String {
    let order = order.replace('\'', r"'\''");
    format!("curl {site}/calculatecost4 -H 'content-type: application/json' -d '{order}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_survives_the_shell() {
        let order = r#"{"remark":"it's $HOME `x` \"y\""}"#;
        let command = curl("http://h", order).replace("curl", "printf '%s\n'");
        let echoed = duct::cmd!("sh", "-c", command).read().unwrap();
        assert_eq!(echoed.lines().last(), Some(order));
    }
}
