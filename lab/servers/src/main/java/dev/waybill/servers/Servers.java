package dev.waybill.servers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Names the servers a test class needs. They are up before the class starts, and up again after it ends, whatever the
 * tests did to them. Handles ({@link MariaDb}, {@link RabbitMq} and so on, or {@link PrivateServers} for all of them)
 * are injected as parameters of constructors, life-cycle and test methods; {@link ChildJvms} as well.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(ServersExtension.class)
public @interface Servers {

    /** What to start together before the class; a handle that is injected but not named here starts its server too. */
    Server[] value() default {};
}
