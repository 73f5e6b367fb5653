//! Everything on this machine: the page, the documents, the Worker and its services.

mod command;
mod server;

pub(crate) use command::run;
