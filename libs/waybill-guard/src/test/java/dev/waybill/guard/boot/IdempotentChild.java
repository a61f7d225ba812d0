package dev.waybill.guard.boot;

import dev.waybill.guard.running.Orders;
import dev.waybill.guard.running.Service;
import java.util.List;
import java.util.Scanner;

/** A service in a process of its own, to be killed: says its port, and opens a gate for every line it reads. */
final class IdempotentChild {

    private IdempotentChild() {}

    public static void main(String[] arguments) {
        Service service = Service.with(
                List.of(Orders.class),
                "waybill.guard.redis.uri=" + arguments[0],
                "waybill.guard.redis.timeout=2s",
                "waybill.guard.idempotent.lease=" + arguments[1]);
        System.out.println("port=" + service.port());
        Scanner lines = new Scanner(System.in, java.nio.charset.StandardCharsets.UTF_8);
        while (lines.hasNextLine()) {
            String[] words = lines.nextLine().split(" ", 2);
            if (words[0].equals("hold")) {
                Orders.gate(words[1]);
                System.out.println("holding " + words[1]);
            } else {
                Orders.gate(words[1]).countDown();
            }
        }
    }
}
