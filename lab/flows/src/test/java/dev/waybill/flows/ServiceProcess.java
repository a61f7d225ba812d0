package dev.waybill.flows;

import dev.waybill.inventory.InventoryApplication;
import dev.waybill.inventory.domain.StockGate;
import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.order.OrderApplication;
import dev.waybill.servicetestkit.InventorySteps;
import dev.waybill.servicetestkit.OrderStep;
import dev.waybill.testkit.CrashPoints;
import java.util.Arrays;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.support.GenericApplicationContext;

/** A service as a process of its own that crashes where a system property says. Prints {@code READY}. */
final class ServiceProcess {

    private ServiceProcess() {}

    /** Arguments: {@code order} or {@code inventory}, then Spring's. */
    public static void main(String[] arguments) {
        CrashingSteps steps = CrashingSteps.fromSystemProperty();
        SpringApplicationBuilder application =
                arguments[0].equals("order") ? OrderApplication.application() : InventoryApplication.application();
        application.initializers(context -> {
            GenericApplicationContext beans = (GenericApplicationContext) context;
            beans.registerBean(Checkpoints.class, CrashPoints::fromSystemProperty);
            OrderStep.watch(beans, (step, orderNo) -> steps.reached(step));
            beans.registerBean(InventorySteps.class, () -> new InventorySteps(StockGate.class, steps::reached));
        });
        application.run(Arrays.copyOfRange(arguments, 1, arguments.length));
        System.out.println("READY");
    }
}
