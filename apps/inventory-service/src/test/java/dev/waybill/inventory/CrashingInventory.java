package dev.waybill.inventory;

import dev.waybill.inventory.domain.StockGate;
import dev.waybill.servicetestkit.InventorySteps;
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
        static InventorySteps crashingSteps() {
            InventorySteps.Place halting = InventorySteps.Place.valueOf(System.getProperty(PLACE));
            return new InventorySteps(StockGate.class, place -> {
                if (place == halting) {
                    System.err.println("[InventorySteps] process halts at " + place);
                    System.err.flush();
                    Runtime.getRuntime().halt(EXIT_STATUS);
                }
            });
        }
    }
}
