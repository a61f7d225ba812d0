package dev.waybill.flows;

import dev.waybill.inventory.InventoryService;
import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.order.OrderService;
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
                arguments[0].equals("order") ? OrderService.application() : InventoryService.application();
        application.initializers(context -> {
            GenericApplicationContext beans = (GenericApplicationContext) context;
            beans.registerBean(Checkpoints.class, CrashPoints::fromSystemProperty);
            beans.registerBean(dev.waybill.order.domain.Steps.class, () ->
                    (dev.waybill.order.domain.Steps) (place, orderNo) -> steps.reached(place));
            beans.registerBean(dev.waybill.inventory.domain.Steps.class, () ->
                    (dev.waybill.inventory.domain.Steps) steps::reached);
        });
        application.run(Arrays.copyOfRange(arguments, 1, arguments.length));
        System.out.println("READY");
    }
}
