package dev.waybill.guard.running;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Idempotent handlers of every kind. Each counts its runs per key, and can be held at a gate. */
@RestController
public class Orders {

    public record Item(String clientRequestId, String sku, int quantity) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Card.class, name = "card"),
        @JsonSubTypes.Type(value = Cash.class, name = "cash")
    })
    public sealed interface Payment {}

    public record Card(String number, Instant paidAt) implements Payment {}

    public record Cash(BigDecimal amount) implements Payment {}

    public record Page<T>(List<T> rows, Map<String, T> byName, Optional<T> first) {}

    private static final Map<String, AtomicInteger> RUNS = new ConcurrentHashMap<>();
    private static final Map<String, CountDownLatch> GATES = new ConcurrentHashMap<>();

    public static int runs(String sku) {
        return RUNS.computeIfAbsent(sku, k -> new AtomicInteger()).get();
    }

    /** Runs for this SKU wait until the returned latch is counted down. */
    public static CountDownLatch gate(String sku) {
        return GATES.computeIfAbsent(sku, k -> new CountDownLatch(1));
    }

    private static Map<String, Object> run(Item item) {
        RUNS.computeIfAbsent(item.sku, k -> new AtomicInteger()).incrementAndGet();
        CountDownLatch gate = GATES.get(item.sku);
        try {
            if (gate != null && !gate.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody opened the gate");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return new TreeMap<>(Map.of("orderNo", "ORD" + UUID.randomUUID(), "sku", item.sku, "at", Instant.now()));
    }

    @PostMapping("/answer")
    @Idempotent(prefix = "test:answer")
    public Answer<Map<String, Object>> answer(@RequestBody Item item) {
        return Answer.ok(run(item));
    }

    /** What it returns cannot be written: a getter fails, as a lazy collection does outside of its transaction. */
    @PostMapping("/unwritable")
    @Idempotent(prefix = "test:unwritable")
    public Answer<Unwritable> unwritable(@RequestBody Item item) {
        run(item);
        return Answer.ok(new Unwritable());
    }

    /** See there. */
    public static final class Unwritable {
        public String getLines() {
            return Optional.<String>empty().orElseThrow();
        }
    }

    @PostMapping("/waiting")
    @Idempotent(prefix = "test:waiting", waitMillis = 5000)
    public Answer<Map<String, Object>> waiting(@RequestBody Item item) {
        return Answer.ok(run(item));
    }

    @PostMapping("/by-argument")
    @Idempotent(prefix = "test:argument", key = "#item.clientRequestId")
    public Map<String, Object> byArgument(@RequestBody Item item) {
        return run(item);
    }

    @PostMapping("/header-first")
    @Idempotent(prefix = "test:first", key = "#item?.clientRequestId", headerFirst = true)
    public Map<String, Object> headerFirst(@RequestBody(required = false) Item item) {
        return run(item == null ? new Item("", "none", 0) : item);
    }

    @PostMapping("/entity")
    @Idempotent(prefix = "test:entity")
    public ResponseEntity<Map<String, Object>> entity(@RequestBody Item item) {
        return ResponseEntity.status(item.quantity).body(run(item));
    }

    @PostMapping("/generic")
    @Idempotent(prefix = "test:generic")
    public Answer<Page<Payment>> generic(@RequestBody Item item) {
        run(item);
        Payment card = new Card("4111", Instant.now());
        Payment cash = new Cash(new BigDecimal("10.50"));
        return Answer.ok(
                new Page<>(List.of(card, cash), new TreeMap<>(Map.of("a", card, "b", cash)), Optional.of(cash)));
    }

    @PostMapping("/list")
    @Idempotent(prefix = "test:list")
    public List<Payment> list(@RequestBody Item item) {
        run(item);
        return List.of(new Card("4222", Instant.now()), new Cash(BigDecimal.TEN));
    }

    @PostMapping("/text")
    @Idempotent(prefix = "test:text")
    public String text(@RequestBody Item item) {
        return "a \"text\" " + run(item).get("orderNo");
    }

    @PostMapping("/nothing")
    @Idempotent(prefix = "test:nothing")
    public void nothing(@RequestBody Item item) {
        run(item);
    }

    @PostMapping("/number")
    @Idempotent(prefix = "test:number")
    public long number(@RequestBody Item item) {
        return run(item).hashCode();
    }

    @PostMapping("/future")
    @Idempotent(prefix = "test:future")
    public CompletableFuture<Answer<Map<String, Object>>> future(@RequestBody Item item) {
        return CompletableFuture.supplyAsync(() -> {
            if (item.quantity < 0) {
                throw new RefusedException(Code.STATE_INVALID);
            }
            return Answer.ok(run(item));
        });
    }

    @PostMapping("/callable")
    @Idempotent(prefix = "test:callable")
    public Callable<ResponseEntity<Map<String, Object>>> callable(@RequestBody Item item) {
        return () -> ResponseEntity.status(201).body(run(item));
    }

    @PostMapping("/failing")
    @Idempotent(prefix = "test:failing")
    public Answer<Map<String, Object>> failing(@RequestBody Item item) {
        Map<String, Object> result = run(item);
        if (runs(item.sku) <= item.quantity) {
            throw new RefusedException(Code.STATE_INVALID);
        }
        return Answer.ok(result);
    }

    @PostMapping("/large")
    @Idempotent(prefix = "test:large")
    public String large(@RequestBody Item item) {
        return run(item).get("orderNo") + "x".repeat(item.quantity);
    }

    @PostMapping("/own-words")
    @Idempotent(prefix = "test:words")
    public ResponseEntity<Answer<Map<String, Object>>> ownWords(@RequestBody Item item) {
        return ResponseEntity.accepted().body(new Answer<>("P1001", "售罄 😀 \ud83d", run(item), ""));
    }

    @PostMapping("/by-meaning")
    @Idempotent(prefix = "test:meaning", fingerprint = "#item")
    public Map<String, Object> byMeaning(@RequestBody Item item) {
        return run(item);
    }

    @PostMapping("/no-body")
    @Idempotent(prefix = "test:nobody")
    public Map<String, Object> noBody(@RequestParam String sku) {
        return run(new Item("", sku, 0));
    }
}
