package dev.waybill.starter.shop;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.outbox.Outbox;
import jakarta.persistence.EntityManager;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.ibatis.session.SqlSessionFactory;
import org.mybatis.spring.SqlSessionFactoryBean;
import org.mybatis.spring.mapper.MapperFactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.PlatformTransactionManager;

/** The shop as an application: everything else is auto-configuration. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EntityScan(basePackageClasses = ShopOrder.class)
public class ShopConfiguration {

    /**
     * Business threads and the relay's threads each go their own way to the same database, so that a fault on the first way
     * leaves the second alone.
     */
    @Bean
    DataSource dataSource(
            @Value("${shop.url}") String businessUrl,
            @Value("${shop.relay-url}") String relayUrl,
            @Value("${shop.user}") String user,
            @Value("${shop.password}") String password) {
        AbstractRoutingDataSource ways = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return Thread.currentThread().getName().startsWith("waybill-") ? "relay" : "business";
            }
        };
        ways.setTargetDataSources(
                Map.of("business", pool(businessUrl, user, password), "relay", pool(relayUrl, user, password)));
        return ways;
    }

    @Bean
    SqlSessionFactory sqlSessionFactory(DataSource dataSource) throws Exception {
        SqlSessionFactoryBean factory = new SqlSessionFactoryBean();
        factory.setDataSource(dataSource);
        return factory.getObject();
    }

    @Bean
    MapperFactoryBean<OrderMapper> orderMapper(SqlSessionFactory sessions) {
        MapperFactoryBean<OrderMapper> mapper = new MapperFactoryBean<>(OrderMapper.class);
        mapper.setSqlSessionFactory(sessions);
        return mapper;
    }

    @Bean
    Shop shop(Outbox outbox, JdbcTemplate jdbc, OrderMapper mapper, ObjectProvider<EntityManager> entities) {
        return new Shop(outbox, jdbc, mapper, entities);
    }

    @Bean
    Propagation propagation(PlatformTransactionManager manager) {
        return new Propagation(manager);
    }

    private static HikariDataSource pool(String url, String user, String password) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setUsername(user);
        pool.setPassword(password);
        pool.setMaximumPoolSize(4);
        pool.setMinimumIdle(1);
        return pool;
    }
}
