package dev.waybill.inventory;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;

/** Every statement about the service's own tables that is sent to the database, each row of a batch counted. */
public final class SentStatements implements BeanPostProcessor {

    private final List<String> sent = new CopyOnWriteArrayList<>();

    /** No @Configuration, or other tests would find it by scanning. */
    public static class Counted {

        @Bean
        static SentStatements sentStatements() {
            return new SentStatements();
        }
    }

    public List<String> sent() {
        return List.copyOf(sent);
    }

    public void forget() {
        sent.clear();
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof DataSource source ? proxy(DataSource.class, dataSource(source)) : bean;
    }

    private InvocationHandler dataSource(DataSource target) {
        return (proxy, method, arguments) -> {
            Object result = call(target, method, arguments);
            return result instanceof Connection connection ? proxy(Connection.class, connection(connection)) : result;
        };
    }

    private InvocationHandler connection(Connection target) {
        return (proxy, method, arguments) -> {
            Object result = call(target, method, arguments);
            return result instanceof PreparedStatement statement
                    ? proxy(PreparedStatement.class, statement(statement, String.valueOf(arguments[0])))
                    : result;
        };
    }

    private InvocationHandler statement(PreparedStatement target, String sql) {
        return (proxy, method, arguments) -> {
            String name = method.getName();
            if (sql.contains("t_inventory") && (name.equals("addBatch") || name.matches("execute(Query|Update)?"))) {
                sent.add(sql);
            }
            return call(target, method, arguments);
        };
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(SentStatements.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
