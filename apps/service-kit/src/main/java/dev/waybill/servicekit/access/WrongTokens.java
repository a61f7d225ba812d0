package dev.waybill.servicekit.access;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts wrong tokens for each address and minute. The address is the connection's: a header that the caller writes would
 * give them a new count for each try. An IPv6 caller owns a whole /64, so that is counted as one.
 *
 * <p>It holds the {@value #ADDRESSES} addresses that failed last, so that no flood of addresses fills the memory.
 */
final class WrongTokens {

    static final int FREE_FAILURES = 20;
    static final Duration WINDOW = Duration.ofMinutes(1);
    static final int ADDRESSES = 10_000;

    private static final int IPV6_BYTES = 16;
    private static final int IPV6_NETWORK_BYTES = 8;
    private static final Logger log = LoggerFactory.getLogger(WrongTokens.class);

    private record Failures(long since, int count) {}

    private final LongSupplier nanoTime;
    private final Map<String, Failures> byAddress = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
            return size() > ADDRESSES;
        }
    };

    WrongTokens(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Counts one more; the seconds to wait when the address has used up what is free. */
    OptionalLong count(String address) {
        long now = nanoTime.getAsLong();
        String network = network(address);
        Failures failures;
        synchronized (byAddress) {
            Failures before = byAddress.get(network);
            failures = before == null || now - before.since >= WINDOW.toNanos()
                    ? new Failures(now, 1)
                    : new Failures(before.since, Math.min(before.count, FREE_FAILURES + 1) + 1);
            byAddress.put(network, failures);
        }
        if (failures.count <= FREE_FAILURES) {
            return OptionalLong.empty();
        }
        if (failures.count == FREE_FAILURES + 1) {
            log.warn("[Access] throttles wrong tokens address={} perMinute={}", network, FREE_FAILURES);
        }
        long left = WINDOW.toNanos() - (now - failures.since);
        return OptionalLong.of(1 + TimeUnit.NANOSECONDS.toSeconds(left));
    }

    int size() {
        synchronized (byAddress) {
            return byAddress.size();
        }
    }

    private static String network(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        try {
            byte[] bytes = InetAddress.getByName(address).getAddress(); // a literal: nothing is looked up
            return bytes.length == IPV6_BYTES
                    ? InetAddress.getByAddress(Arrays.copyOf(Arrays.copyOf(bytes, IPV6_NETWORK_BYTES), IPV6_BYTES))
                                    .getHostAddress()
                            + "/64"
                    : address;
        } catch (UnknownHostException e) {
            log.debug("[Access] address without a network", e);
            return address;
        }
    }
}
