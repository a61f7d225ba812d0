package dev.waybill.starter.inbox;

import dev.waybill.starter.StartUpException;
import dev.waybill.starter.transaction.SpringTransactionRunner;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.transaction.PlatformTransactionManager;

/** Resolves the transaction manager of the inbox's DataSource. */
final class InboxTransactionManagerResolver {

    private static final String PROPERTY = "waybill.inbox.transaction-manager";

    private final ListableBeanFactory beans;
    private final DataSource dataSource;

    InboxTransactionManagerResolver(ListableBeanFactory beans, DataSource dataSource) {
        this.beans = beans;
        this.dataSource = dataSource;
    }

    /** The one that is named, else the only or primary one, else the only one that manages the DataSource. */
    SpringTransactionRunner choose(@Nullable String wanted) {
        PlatformTransactionManager chosen = wanted == null || wanted.isBlank()
                ? beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique()
                : named(wanted);
        if (chosen != null) {
            SpringTransactionRunner runner = new SpringTransactionRunner(chosen, dataSource);
            if (runner.isOfItsDataSource()) {
                return runner;
            }
        }
        return chosen != null && wanted != null ? refuse(wanted) : onlyOne();
    }

    private SpringTransactionRunner onlyOne() {
        Map<String, SpringTransactionRunner> fit = new TreeMap<>();
        beans.getBeansOfType(PlatformTransactionManager.class).forEach((name, manager) -> {
            SpringTransactionRunner runner = new SpringTransactionRunner(manager, dataSource);
            if (runner.isOfItsDataSource()) {
                fit.put(name, runner);
            }
        });
        if (fit.size() != 1) {
            throw new StartUpException(
                    PROPERTY,
                    fit.isEmpty()
                            ? "No transaction manager manages the inbox's DataSource."
                            : "Several transaction managers manage the inbox's DataSource and none is primary: "
                                    + fit.keySet() + ".",
                    "Set " + PROPERTY + " to the bean name of one that does, or waybill.inbox.data-source to another"
                            + " DataSource.",
                    null);
        }
        return fit.values().iterator().next();
    }

    private SpringTransactionRunner refuse(String wanted) {
        throw new StartUpException(
                PROPERTY,
                PROPERTY + " names '" + wanted + "', which manages another DataSource than the inbox's.",
                "Set " + PROPERTY + " to a manager of that DataSource, or change waybill.inbox.data-source.",
                null);
    }

    private PlatformTransactionManager named(String name) {
        try {
            return beans.getBean(name, PlatformTransactionManager.class);
        } catch (NoSuchBeanDefinitionException e) {
            throw new StartUpException(
                    PROPERTY,
                    PROPERTY + " names '" + name + "', but the transaction managers are "
                            + List.of(beans.getBeanNamesForType(PlatformTransactionManager.class)) + ".",
                    "Set " + PROPERTY + " to one of them.",
                    e);
        }
    }
}
