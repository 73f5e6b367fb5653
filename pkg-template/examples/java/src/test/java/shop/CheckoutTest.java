package shop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckoutTest {
  private static final Pattern GRAND_TOTAL = Pattern.compile("\"grandTotal\":(-?[0-9.]+)");

  @TempDir static Path folder;
  private static Path facts;
  private static OrderCost orderCost;

  @BeforeAll
  static void start() throws Exception {
    facts = Files.copy(Path.of("facts.json"), folder.resolve("facts.json"));
    orderCost = new OrderCost(facts);
  }

  @AfterAll
  static void stop() throws Exception {
    if (orderCost != null) orderCost.close();
  }

  @BeforeEach
  void resetFacts() throws Exception {
    Files.writeString(facts, Files.readString(Path.of("facts.json")));
  }

  @Test
  void theDeliveryAndTheCouponCount() throws Exception {
    var response = orderCost.price(order());
    System.out.write(response.body());
    System.out.println();
    assertEquals(200, response.statusCode());
    assertEquals(new BigDecimal("522"), grandTotal(response)); // 2 × 231, delivery 30, express 50, coupon −20
  }

  @Test
  void aPriceCountsAsSoonAsItIsWritten() throws Exception {
    Files.writeString(facts, Files.readString(facts).replace("231", "200.25"));
    assertEquals(new BigDecimal("460.5"), grandTotal(orderCost.price(order())));
  }

  @Test
  void anOrderThatFailsSaysWhy() throws Exception {
    var response = orderCost.price(new String(order(), UTF_8).replace("110018", "404").getBytes(UTF_8));
    assertEquals(500, response.statusCode());
    assertEquals("{\"error\":\"No price for 404/1000\"}", new String(response.body(), UTF_8));
    assertEquals("PRODUCT_PRICE_NOT_FOUND", response.headers().firstValue("x-order-cost-error").orElseThrow());
  }

  private static byte[] order() throws Exception {
    return Files.readAllBytes(Path.of("order.json"));
  }

  private static BigDecimal grandTotal(HttpResponse<byte[]> response) {
    var found = GRAND_TOTAL.matcher(new String(response.body(), UTF_8));
    return found.find() ? new BigDecimal(found.group(1)) : null;
  }
}
