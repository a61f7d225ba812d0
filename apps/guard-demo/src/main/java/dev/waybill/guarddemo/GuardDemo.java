package dev.waybill.guarddemo;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Runs with nothing installed; {@code --waybill.guard.redis.uri=redis://localhost:6379} shares the guards between nodes. */
@SpringBootApplication
public class GuardDemo {

    public static void main(String[] arguments) {
        SpringApplication.run(GuardDemo.class, arguments);
    }
}
