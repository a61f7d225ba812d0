package dev.waybill.inventory;

import dev.waybill.inventory.domain.InventoryCheckpoints;
import org.springframework.context.annotation.Bean;

/** The service as a process that halts the first time it reaches the place named by {@value #PLACE}. */
final class CrashingInventory {

    static final String PLACE = "inventory.crash";
    static final int EXIT_STATUS = 137;

    private CrashingInventory() {}

    public static void main(String[] arguments) {
        InventoryApplication.application().sources(Crash.class).run(arguments);
        System.out.println("READY");
    }

    /** No @Configuration, or other tests would find it by scanning. */
    static class Crash {

        @Bean
        InventoryCheckpoints crashingSteps() {
            InventoryCheckpoints.Place halting = InventoryCheckpoints.Place.valueOf(System.getProperty(PLACE));
            return place -> {
                if (place == halting) {
                    System.err.println("[InventoryCheckpoints] process halts at " + place);
                    System.err.flush();
                    Runtime.getRuntime().halt(EXIT_STATUS);
                }
            };
        }
    }
}
