package dev.waybill.starter.h2;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

/** Makes commits survive a kill of the process where {@code spring.datasource.url} is an H2 file. */
@AutoConfiguration
@ConditionalOnClass(name = "org.h2.Driver")
@ConditionalOnProperty(name = "waybill.h2.durable", matchIfMissing = true)
public final class DurableH2AutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static BeanPostProcessor waybillDurableH2() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String beanName) {
                return bean instanceof JdbcConnectionDetails details
                                && !DurableH2Url.of(details.getJdbcUrl()).equals(details.getJdbcUrl())
                        ? new DurableH2ConnectionDetails(details)
                        : bean;
            }
        };
    }
}
