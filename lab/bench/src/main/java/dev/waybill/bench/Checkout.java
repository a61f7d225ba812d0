package dev.waybill.bench;

import java.nio.file.Path;

/** Where this run's files are. */
final class Checkout {

    private Checkout() {}

    static Path root() {
        String told = System.getenv("WAYBILL_ROOT");
        return Path.of(told == null ? "." : told).toAbsolutePath().normalize();
    }
}
