package dev.waybill.starter;

import java.util.Arrays;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * The DataSource that holds the outbox table, without a transaction-aware proxy: transaction managers bind connections under the
 * DataSource behind the proxy.
 */
public record OutboxDataSource(DataSource dataSource) {

    private static final String PROPERTY = "waybill.outbox.data-source";

    static OutboxDataSource choose(ListableBeanFactory beans, @Nullable String wanted) {
        if (wanted != null && !wanted.isBlank()) {
            return new OutboxDataSource(named(beans, PROPERTY, wanted));
        }
        DataSource chosen = beans.getBeanProvider(DataSource.class).getIfUnique();
        if (chosen == null) {
            throw undecided(beans);
        }
        return new OutboxDataSource(behindProxy(chosen));
    }

    /** The DataSource bean that a property names, without its proxy. */
    public static DataSource named(ListableBeanFactory beans, String property, String name) {
        try {
            return behindProxy(beans.getBean(name, DataSource.class));
        } catch (NoSuchBeanDefinitionException e) {
            throw new StartUpException(
                    property,
                    property + " names '" + name + "', but the DataSource beans are " + names(beans) + ".",
                    "Set " + property + " to one of them.",
                    e);
        }
    }

    private static DataSource behindProxy(DataSource chosen) {
        DataSource target =
                chosen instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : chosen;
        return target == null ? chosen : target;
    }

    private static StartUpException undecided(ListableBeanFactory beans) {
        return beans.getBeanNamesForType(DataSource.class).length == 0
                ? new StartUpException(
                        PROPERTY,
                        "Waybill needs a DataSource for its outbox table and found none.",
                        "Set spring.datasource.url, or declare a DataSource bean.",
                        null)
                : new StartUpException(
                        PROPERTY,
                        "Waybill found several DataSources and none is primary: " + names(beans) + ".",
                        "Set " + PROPERTY + " to the bean name of the one whose transactions write the business data.",
                        null);
    }

    private static String names(ListableBeanFactory beans) {
        return Arrays.toString(beans.getBeanNamesForType(DataSource.class));
    }
}
