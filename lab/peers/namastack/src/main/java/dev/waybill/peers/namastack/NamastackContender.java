package dev.waybill.peers.namastack;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.contender.ConfirmedSends;
import dev.waybill.contender.Contender;
import dev.waybill.contender.Order;
import dev.waybill.contender.Stage;
import dev.waybill.contender.Venue;
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
    private @Nullable ConfirmedSends sends;
    private @Nullable ConfigurableApplicationContext context;
    private @Nullable JdbcTemplate jdbc;
    private @Nullable TransactionTemplate transactions;
    private @Nullable Outbox outbox;

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {}

    public static void main(String[] arguments) {
        Stage.run(new NamastackContender(), arguments);
    }

    @Override
    public void open(Venue venue) {
        pool = venue.pool();
        ConfirmedSends confirmed = new ConfirmedSends(venue);
        sends = confirmed;
        HikariDataSource here = pool;
        context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(settings(venue))
                .initializers(fresh -> {
                    var beans = (org.springframework.context.support.GenericApplicationContext) fresh;
                    beans.registerBean("dataSource", DataSource.class, () -> here);
                    beans.registerBean("parcelHandler", ParcelHandler.class, () -> new ParcelHandler(confirmed));
                })
                .run();
        stopRelay();
        jdbc = new JdbcTemplate(pool);
        transactions = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        outbox = context.getBean(Outbox.class);
    }

    private static Properties settings(Venue venue) {
        Properties settings = new Properties();
        venue.settings().forEach((name, value) -> {
            if (name.toString().startsWith("namastack.") || name.toString().startsWith("spring.")) {
                settings.put(name, value);
            }
        });
        return settings;
    }

    @Override
    public void commit(List<Order> orders) throws SQLException {
        Outbox here = Objects.requireNonNull(outbox);
        JdbcTemplate template = Objects.requireNonNull(jdbc);
        Objects.requireNonNull(transactions).executeWithoutResult(status -> {
            template.execute((ConnectionCallback<Boolean>) connection -> {
                Order.insert(connection, orders);
                return true;
            });
            for (Order order : orders) {
                here.schedule(new Parcel(order.digits(), order.body()), order.digits());
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
