package dev.waybill.peers.modulith;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.contender.AfterCommitExecutor;
import dev.waybill.contender.BenchOrder;
import dev.waybill.contender.Contender;
import dev.waybill.contender.ContenderConfig;
import dev.waybill.contender.ContenderMain;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.amqp.RabbitTemplateCustomizer;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.task.TaskExecutor;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Pushes after commit through Spring's executor; a backlog is resubmitted, as its documentation says. */
public final class ModulithContender implements Contender {

    private static final String UNSETTLED = "SELECT COUNT(*) FROM event_publication WHERE completion_date IS NULL";

    /** MariaDB tells tables apart by case on Linux. */
    private static final String UNSETTLED_MARIADB =
            "SELECT COUNT(*) FROM EVENT_PUBLICATION WHERE COMPLETION_DATE IS NULL";

    private final AtomicLong sent = new AtomicLong();
    private @Nullable HikariDataSource pool;
    private @Nullable AfterCommitExecutor pushes;
    private @Nullable ConfigurableApplicationContext context;
    private @Nullable JdbcTemplate jdbc;
    private @Nullable TransactionTemplate transactions;
    private boolean postgreSql;

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {}

    public static void main(String[] arguments) {
        ContenderMain.run(new ModulithContender(), arguments);
    }

    @Override
    public void open(ContenderConfig config) {
        postgreSql = config.isPostgreSql();
        HikariDataSource here = config.pool();
        pool = here;
        AfterCommitExecutor threads = new AfterCommitExecutor(config.number("threads"));
        pushes = threads;
        RabbitTemplateCustomizer counting = template -> template.addBeforePublishPostProcessors(message -> {
            sent.incrementAndGet();
            return message;
        });
        Properties settings = new Properties();
        config.settings().forEach((name, value) -> {
            if (name.toString().startsWith("spring.")) {
                settings.put(name, value);
            }
        });
        settings.put("spring.rabbitmq.addresses", config.broker());
        context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(settings)
                .initializers(fresh -> {
                    var beans = (GenericApplicationContext) fresh;
                    beans.registerBean("dataSource", DataSource.class, () -> here);
                    beans.registerBean("applicationTaskExecutor", TaskExecutor.class, () -> threads::execute);
                    beans.registerBean("counting", RabbitTemplateCustomizer.class, () -> counting);
                })
                .run();
        jdbc = new JdbcTemplate(here);
        transactions = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    @Override
    public void commit(List<BenchOrder> orders) throws SQLException {
        JdbcTemplate template = Objects.requireNonNull(jdbc);
        ConfigurableApplicationContext publisher = Objects.requireNonNull(context);
        Objects.requireNonNull(transactions).executeWithoutResult(status -> {
            template.execute((ConnectionCallback<Boolean>) connection -> {
                BenchOrder.insert(connection, orders);
                return true;
            });
            orders.forEach(order -> publisher.publishEvent(event(order)));
        });
    }

    /** As JSON it is the order's body. */
    private static OrderCreated event(BenchOrder order) {
        String body = order.body();
        int filling = body.indexOf("\"x\":\"") + 5;
        return new OrderCreated(order.digits(), body.substring(filling, body.length() - 2));
    }

    @Override
    public void startRelay() {
        Objects.requireNonNull(pushes).open();
        if (unsettled() > 0) {
            IncompleteEventPublications backlog =
                    Objects.requireNonNull(context).getBean(IncompleteEventPublications.class);
            Thread resubmission = new Thread(() -> backlog.resubmitIncompletePublications(any -> true), "resubmit");
            resubmission.setDaemon(true);
            resubmission.start();
        }
    }

    @Override
    public void stopRelay() {
        Objects.requireNonNull(pushes).close();
    }

    @Override
    public long sent() {
        return sent.get();
    }

    @Override
    public long unsettled() {
        String question = postgreSql ? UNSETTLED : UNSETTLED_MARIADB;
        return Objects.requireNonNull(Objects.requireNonNull(jdbc).queryForObject(question, Long.class));
    }

    @Override
    public void close() {
        stopRelay();
        Objects.requireNonNull(context).close();
        Objects.requireNonNull(pool).close();
    }
}
