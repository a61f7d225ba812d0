package dev.waybill.guarddemo;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** Runs with nothing installed; {@code --waybill.guard.redis.uri=redis://localhost:6379} shares the guards between nodes. */
@SpringBootApplication
public class GuardDemo {

    public static void main(String[] arguments) {
        application().run(arguments);
    }

    /** The service, ready to run; its settings are in {@code guard-demo.yaml}, so that services can share a class path. */
    public static SpringApplicationBuilder application() {
        return new SpringApplicationBuilder(GuardDemo.class)
                .main(GuardDemo.class)
                .properties("spring.config.name=guard-demo");
    }
}
