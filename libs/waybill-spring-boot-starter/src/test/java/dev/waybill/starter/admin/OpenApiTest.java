package dev.waybill.starter.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.yaml.snakeyaml.Yaml;

/** The OpenAPI document says what the controllers do: paths, parameters, bodies and answers, field by field. */
class OpenApiTest {

    private static final Map<String, HandlerMethod> METHODS = new TreeMap<>();
    private static Map<String, Object> document;

    @BeforeAll
    static void read() throws IOException {
        try (AdminShop shop = new AdminShop()) {
            shop.service()
                    .bean(RequestMappingHandlerMapping.class)
                    .getHandlerMethods()
                    .forEach((mapping, handler) -> {
                        for (String path : mapping.getPatternValues()) {
                            if (path.startsWith(AdminApi.PATH)) {
                                mapping.getMethodsCondition()
                                        .getMethods()
                                        .forEach(method -> METHODS.put(
                                                method + " " + path.substring(AdminApi.PATH.length()), handler));
                            }
                        }
                    });
            assertThat(shop.nobody().statusCode(AdminApi.PATH + "/openapi.yaml"))
                    .isEqualTo(401);
            assertThat(shop.viewer().statusCode(AdminApi.PATH + "/openapi.yaml"))
                    .isEqualTo(200);
        }
        try (InputStream in = OpenApiController.class.getResourceAsStream(OpenApiController.DOCUMENT)) {
            document = new Yaml().load(in);
        }
    }

    @AfterAll
    static void forget() {
        METHODS.clear();
    }

    @Test
    void everyPathAndNoOtherIsDescribed() {
        assertThat(operations().keySet()).isEqualTo(METHODS.keySet());
    }

    @Test
    void parametersAreTheMethodsOwn() {
        operations().forEach((name, operation) -> {
            Set<String> described = list(operation, "parameters").stream()
                    .map(OpenApiTest::resolved)
                    .map(parameter -> String.valueOf(parameter.get("name")))
                    .collect(Collectors.toCollection(TreeSet::new));
            HandlerMethod method = Objects.requireNonNull(METHODS.get(name));
            Set<String> own = new TreeSet<>(KnownParameters.of(method));
            Arrays.stream(method.getMethod().getParameters())
                    .filter(parameter -> parameter.isAnnotationPresent(PathVariable.class))
                    .forEach(parameter -> own.add(parameter.getName()));
            assertThat(described).as(name).isEqualTo(own);
        });
    }

    @Test
    void bodiesAndAnswersAreTheMethodsOwn() {
        List<Type> seen = new ArrayList<>();
        operations().forEach((name, operation) -> {
            HandlerMethod method = Objects.requireNonNull(METHODS.get(name));
            List<Type> bodies = Arrays.stream(method.getMethod().getParameters())
                    .filter(parameter -> parameter.isAnnotationPresent(RequestBody.class))
                    .map(parameter -> parameter.getParameterizedType())
                    .toList();
            assertThat(operation.containsKey("requestBody")).as(name).isEqualTo(!bodies.isEmpty());
            for (Type body : bodies) {
                assertThat(schemaOf(map(operation, "requestBody"))).as(name).isEqualTo(nameOf(body));
            }
            Map<String, Object> answer =
                    resolved(map(operation, "responses").values().iterator().next());
            Type returned = method.getMethod().getGenericReturnType();
            if (returned instanceof ParameterizedType file && file.getRawType() == ResponseEntity.class) {
                return;
            }
            assertThat(schemaOf(answer)).as(name).isEqualTo(nameOf(returned));
            seen.addAll(bodies);
            seen.add(returned);
        });
        seen.forEach(type -> assertFields(type));
    }

    @Test
    void everyErrorIsNamed() {
        String described = String.valueOf(
                map(map(schemas().get("Failure"), "properties"), "error").get("description"));
        for (AdminError error : AdminError.values()) {
            assertThat(described).contains(AdminFailure.of(error, "").error());
        }
    }

    /** The fields of a record, and of the records in them. */
    private static void assertFields(Type type) {
        if (type instanceof ParameterizedType generic) {
            Arrays.stream(generic.getActualTypeArguments()).forEach(OpenApiTest::assertFields);
        }
        Class<?> raw = rawOf(type);
        if (!raw.isRecord()) {
            return;
        }
        Set<String> fields = Arrays.stream(raw.getRecordComponents())
                .map(component -> component.getName())
                .filter(name -> !name.equals("unknown"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(map(schemas().get(nameOf(type)), "properties").keySet())
                .as(nameOf(type))
                .containsExactlyInAnyOrderElementsOf(fields);
        Stream.of(raw.getRecordComponents()).forEach(component -> assertFields(component.getGenericType()));
    }

    private static Class<?> rawOf(Type type) {
        if (type instanceof ParameterizedType generic) {
            return (Class<?>) generic.getRawType();
        }
        return type instanceof Class<?> plain ? plain : Object.class;
    }

    private static String nameOf(Type type) {
        String own = rawOf(type).getSimpleName();
        return type instanceof ParameterizedType generic
                ? own + "Of" + rawOf(generic.getActualTypeArguments()[0]).getSimpleName()
                : own;
    }

    private static Map<String, Map<String, Object>> operations() {
        Map<String, Map<String, Object>> operations = new TreeMap<>();
        map(document, "paths")
                .forEach((path, methods) -> asMap(methods)
                        .forEach((method, operation) -> operations.put(
                                method.toUpperCase(java.util.Locale.ROOT) + " " + path, asMap(operation))));
        return operations;
    }

    private static String schemaOf(Map<String, Object> content) {
        Map<String, Object> json = map(map(resolved(content), "content"), "application/json");
        String reference = String.valueOf(map(json, "schema").get("$ref"));
        return reference.substring(reference.lastIndexOf('/') + 1);
    }

    private static Map<String, Object> schemas() {
        return map(map(document, "components"), "schemas");
    }

    private static Map<String, Object> resolved(Object node) {
        Map<String, Object> map = asMap(node);
        if (!(map.get("$ref") instanceof String reference)) {
            return map;
        }
        Map<String, Object> at = document;
        for (String step : reference.substring(2).split("/", -1)) {
            at = map(at, step);
        }
        return at;
    }

    private static Map<String, Object> map(Object node, String name) {
        Object found = asMap(node).get(name);
        assertThat(found).as(name).isNotNull();
        return asMap(found);
    }

    private static List<Object> list(Map<String, Object> node, String name) {
        return node.get(name) instanceof List<?> list ? List.copyOf(list) : List.of();
    }

    private static Map<String, Object> asMap(Object node) {
        Map<String, Object> map = new LinkedHashMap<>();
        ((Map<?, ?>) node).forEach((key, value) -> map.put(String.valueOf(key), value));
        return map;
    }
}
