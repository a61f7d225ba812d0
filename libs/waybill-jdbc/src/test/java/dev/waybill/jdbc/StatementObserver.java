package dev.waybill.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Tells the text of every statement that is executed over a DataSource's connections, just before it is sent. */
final class StatementObserver {

    private final Consumer<String> observer;

    private StatementObserver(Consumer<String> observer) {
        this.observer = observer;
    }

    static DataSource over(DataSource target, Consumer<String> observer) {
        return new StatementObserver(observer).over(target);
    }

    private DataSource over(DataSource target) {
        return proxy(DataSource.class, (method, arguments) -> {
            Object result = invoke(target, method, arguments);
            return result instanceof Connection connection ? over(connection) : result;
        });
    }

    private Connection over(Connection target) {
        return proxy(Connection.class, (method, arguments) -> {
            Object result = invoke(target, method, arguments);
            if (!(result instanceof Statement statement)) {
                return result;
            }
            String prepared = method.getName().equals("prepareStatement") ? (String) arguments[0] : null;
            return over(statement, method.getReturnType(), prepared);
        });
    }

    private Object over(Statement target, Class<?> type, String prepared) {
        return proxy(type, (method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                observer.accept(prepared == null ? (String) arguments[0] : prepared);
            }
            return invoke(target, method, arguments);
        });
    }

    private interface Call {
        Object of(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                StatementObserver.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> call.of(method, arguments)));
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
