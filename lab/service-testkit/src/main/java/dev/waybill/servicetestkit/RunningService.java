package dev.waybill.servicetestkit;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** A service in this process, on a free port unless the settings name one, and what can be seen of it: HTTP, beans, tables. */
public class RunningService implements HttpCalls, AutoCloseable {

    private final ConfigurableApplicationContext context;

    public RunningService(SpringApplicationBuilder application, ServiceSettings settings) {
        this(application, settings, beans -> {});
    }

    /** The test may bring beans of its own. */
    public RunningService(
            SpringApplicationBuilder application,
            ServiceSettings settings,
            Consumer<GenericApplicationContext> testBeans) {
        this.context = application
                .initializers(beans -> testBeans.accept((GenericApplicationContext) beans))
                .run(ServiceSettings.none()
                        .set("server.port", 0)
                        .set("server.address", "127.0.0.1")
                        .setAll(settings.values())
                        .arguments());
    }

    @Override
    public int port() {
        return Objects.requireNonNull(((WebServerApplicationContext) context).getWebServer())
                .getPort();
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public String setting(String name) {
        return context.getEnvironment().getRequiredProperty(name);
    }

    /** The one number that a query returns; 0 for null, as a sum over nothing is. */
    public long count(String sql, Object... parameters) {
        Long found = tables().queryForObject(sql, Long.class, parameters);
        return found == null ? 0 : found;
    }

    /** The one text that a query returns. */
    public String text(String sql, Object... parameters) {
        return Objects.requireNonNull(tables().queryForObject(sql, String.class, parameters), sql);
    }

    public List<Map<String, Object>> rows(String sql, Object... parameters) {
        return tables().queryForList(sql, parameters);
    }

    public int update(String sql, Object... parameters) {
        return tables().update(sql, parameters);
    }

    private JdbcTemplate tables() {
        return new JdbcTemplate(bean(DataSource.class));
    }

    @Override
    public void close() {
        context.close();
    }
}
