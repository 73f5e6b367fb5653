package shop;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;

/** `order-cost serve` on a free port, until it is closed. */
final class OrderCost implements AutoCloseable {
  private static final String LISTENING = "Listening on ";

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final URI route;

  OrderCost(Path facts) throws IOException {
    // Not npx, which would keep the signal that ends the process to itself.
    var command = new ProcessBuilder("node", "node_modules/order-cost/cli.js", "serve", "--port", "0", "--facts", facts.toString());
    process = command.redirectError(Redirect.INHERIT).start();
    var line = process.inputReader(UTF_8).readLine();
    if (line == null) throw new IOException("order-cost serve has ended; stderr says why");
    route = URI.create(line.substring(LISTENING.length()) + "/calculatecost4");
  }

  HttpResponse<byte[]> price(byte[] order) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(route).POST(BodyPublishers.ofByteArray(order)).build();
    return client.send(request, BodyHandlers.ofByteArray());
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }
}
