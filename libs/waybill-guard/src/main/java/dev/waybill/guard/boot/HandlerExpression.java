package dev.waybill.guard.boot;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/** An annotation's expression over a handler's arguments, such as {@code #request.clientRequestId}. */
final class HandlerExpression {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final Pattern VARIABLE = Pattern.compile("#(\\w+)");
    private static final List<String> BUILT_IN = List.of("this", "root");

    private final Expression expression;
    private final String[] parameterNames;

    private HandlerExpression(Expression expression, String[] parameterNames) {
        this.expression = expression;
        this.parameterNames = parameterNames;
    }

    /** Reads the text; one that can't be read or names an unknown parameter stops the start-up, naming the handler. */
    static HandlerExpression parse(String text, Method method) {
        String[] names = new DefaultParameterNameDiscoverer().getParameterNames(method);
        if (names == null) {
            throw new IllegalStateException(
                    method + ": compile with -parameters, or \"" + text + "\" finds no argument");
        }
        Matcher variables = VARIABLE.matcher(text);
        while (variables.find()) {
            String name = variables.group(1);
            if (!BUILT_IN.contains(name) && !Arrays.asList(names).contains(name)) {
                throw new IllegalStateException(
                        method + ": \"" + text + "\" names no argument of the handler: #" + name);
            }
        }
        try {
            return new HandlerExpression(PARSER.parseExpression(text), names);
        } catch (ParseException e) {
            throw new IllegalStateException(method + ": \"" + text + "\" is not an expression", e);
        }
    }

    /** The value for these arguments; null also where something on the way to it is null. */
    @Nullable Object valueOf(@Nullable Object[] arguments) {
        try {
            return evaluate(arguments);
        } catch (EvaluationException e) {
            return null;
        }
    }

    /** The value for these arguments, or the {@link EvaluationException} that came instead. */
    @Nullable Object evaluate(@Nullable Object[] arguments) {
        SimpleEvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding()
                .withInstanceMethods()
                .build();
        for (int i = 0; i < parameterNames.length; i++) {
            context.setVariable(parameterNames[i], arguments[i]);
        }
        return expression.getValue(context);
    }
}
