package dev.waybill.example.spring;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** An application that places one order when it starts. */
@SpringBootApplication
public class SpringBootExample {

    public static void main(String... arguments) {
        SpringApplication.run(SpringBootExample.class, arguments);
    }

    @Bean
    ApplicationRunner firstOrder(OrderService orders) {
        return arguments -> orders.place("ORD-1");
    }
}
