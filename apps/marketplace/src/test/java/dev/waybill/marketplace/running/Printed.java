package dev.waybill.marketplace.running;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is printed from now on, also by a service that starts meanwhile: starting sets up the logging anew. */
public final class Printed implements AutoCloseable {

    private final PrintStream before = System.out;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public Printed() {
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    public List<String> lines() {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Override
    public void close() {
        System.setOut(before);
        before.print(bytes.toString(StandardCharsets.UTF_8));
    }
}
