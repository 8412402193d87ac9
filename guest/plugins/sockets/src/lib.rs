//! A plugin that wants the network; for tests of the host.

/// Wants the network.
#[rlm_plugin::plugin]
mod sockets {
    use std::io;
    use std::net::TcpStream;

    /// Opens a connection to `address`, and says from where it came to be.
    pub fn connect(address: String) -> io::Result<String> {
        Ok(TcpStream::connect(address)?.local_addr()?.to_string())
    }
}
