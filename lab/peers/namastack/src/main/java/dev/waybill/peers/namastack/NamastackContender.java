package dev.waybill.peers.namastack;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.contender.BenchOrder;
import dev.waybill.contender.ConfirmedSender;
import dev.waybill.contender.Contender;
import dev.waybill.contender.ContenderConfig;
import dev.waybill.contender.ContenderMain;
import io.namastack.outbox.Outbox;
import io.namastack.outbox.OutboxProcessingScheduler;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Polls: it has no push after commit. */
public final class NamastackContender implements Contender {

    private static final String UNSETTLED = "SELECT COUNT(*) FROM outbox_record WHERE status <> 'COMPLETED'";

    private @Nullable HikariDataSource pool;
    private @Nullable ConfirmedSender sends;
    private @Nullable ConfigurableApplicationContext context;
    private @Nullable JdbcTemplate jdbc;
    private @Nullable TransactionTemplate transactions;
    private @Nullable Outbox outbox;

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {}

    public static void main(String[] arguments) {
        ContenderMain.run(new NamastackContender(), arguments);
    }

    @Override
    public void open(ContenderConfig config) {
        pool = config.pool();
        ConfirmedSender confirmed = new ConfirmedSender(config);
        sends = confirmed;
        HikariDataSource here = pool;
        context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(settings(config))
                .initializers(fresh -> {
                    var beans = (org.springframework.context.support.GenericApplicationContext) fresh;
                    beans.registerBean("dataSource", DataSource.class, () -> here);
                    beans.registerBean(
                            "orderRecordHandler", OrderRecordHandler.class, () -> new OrderRecordHandler(confirmed));
                })
                .run();
        stopRelay();
        jdbc = new JdbcTemplate(pool);
        transactions = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        outbox = context.getBean(Outbox.class);
    }

    private static Properties settings(ContenderConfig config) {
        Properties settings = new Properties();
        config.settings().forEach((name, value) -> {
            if (name.toString().startsWith("namastack.") || name.toString().startsWith("spring.")) {
                settings.put(name, value);
            }
        });
        return settings;
    }

    @Override
    public void commit(List<BenchOrder> orders) throws SQLException {
        Outbox here = Objects.requireNonNull(outbox);
        JdbcTemplate template = Objects.requireNonNull(jdbc);
        Objects.requireNonNull(transactions).executeWithoutResult(status -> {
            template.execute((ConnectionCallback<Boolean>) connection -> {
                BenchOrder.insert(connection, orders);
                return true;
            });
            for (BenchOrder order : orders) {
                here.schedule(new OrderRecord(order.digits(), order.body()), order.digits());
            }
        });
    }

    @Override
    public void startRelay() {
        scheduler().start();
    }

    @Override
    public void stopRelay() {
        scheduler().stop();
    }

    private OutboxProcessingScheduler scheduler() {
        return Objects.requireNonNull(context).getBean(OutboxProcessingScheduler.class);
    }

    @Override
    public long sent() {
        return Objects.requireNonNull(sends).count();
    }

    @Override
    public long unsettled() {
        return Objects.requireNonNull(Objects.requireNonNull(jdbc).queryForObject(UNSETTLED, Long.class));
    }

    @Override
    public void close() {
        Objects.requireNonNull(context).close();
        Objects.requireNonNull(sends).close();
    }
}
