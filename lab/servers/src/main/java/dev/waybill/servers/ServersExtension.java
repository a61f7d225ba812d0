package dev.waybill.servers;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Hands out servers for the length of a test class and child JVMs for the length of a test; see {@link Servers}. */
public final class ServersExtension implements BeforeAllCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(ServersExtension.class);

    private static final Map<Class<?>, Function<PrivateServers, Object>> HANDLES = Map.of(
            PrivateServers.class, servers -> servers,
            MariaDb.class, PrivateServers::mariaDb,
            MySql.class, PrivateServers::mySql,
            PostgreSql.class, PrivateServers::postgreSql,
            Redis.class, PrivateServers::redis,
            RabbitMq.class, PrivateServers::rabbitMq,
            RocketMq.class, PrivateServers::rocketMq);

    @Override
    public void beforeAll(ExtensionContext context) {
        // A nested class finds the outer class's servers in the parent store and shares them.
        var servers = servers(context);
        AnnotationSupport.findAnnotation(context.getRequiredTestClass(), Servers.class)
                .ifPresent(wanted -> servers.acquire(wanted.value()));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        var type = parameter.getParameter().getType();
        return HANDLES.containsKey(type) || type == ChildJvms.class;
    }

    @Override
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        var type = parameter.getParameter().getType();
        if (type == ChildJvms.class) {
            return store(context).computeIfAbsent(ChildJvms.class, key -> new ChildJvms(), ChildJvms.class);
        }
        var handle = HANDLES.get(type);
        return handle == null ? null : handle.apply(servers(context));
    }

    /** The store closes what it holds when its class or test ends: databases go, stopped servers come back. */
    private static PrivateServers servers(ExtensionContext context) {
        return store(context).computeIfAbsent(PrivateServers.class, key -> PrivateServers.open(), PrivateServers.class);
    }

    private static Store store(ExtensionContext context) {
        return context.getStore(NAMESPACE);
    }
}
