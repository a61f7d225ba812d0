package dev.waybill.guard.boot;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * The log pattern of a service that configures none: time with milliseconds, [thread], [traceId], level. No stack trace for a
 * request that Tomcat cannot read, and no cookie of one.
 *
 * <p>Control characters are replaced, and whatever follows a line break inside of a message is indented, so that nobody can
 * write a log line through a header or a body. It is the last of all property sources, so any setting of the service wins.
 */
final class LogPatternDefaults implements EnvironmentPostProcessor {

    private static final String UNSEEN = "[\\p{Cntrl}\\x{80}-\\x{9f}\\x{2028}\\x{2029}&&[^\\n]]";
    private static final String INDENT = "    ";
    private static final String MESSAGE = "%replace(%replace(%msg){'" + UNSEEN + "','_'}){'\\n','\n" + INDENT + "'}";
    private static final String FRAMES_INDENTED = "%replace(%ex){'\\n(\\t|(?!Caused by: |\\z))','\n" + INDENT + "'}";
    private static final String EXCEPTION = "%replace(" + FRAMES_INDENTED + "){'" + UNSEEN + "','_'}%nopex";

    /** Tomcat tells of a request that it cannot read with a stack trace at INFO; the answer's own line is enough. */
    private static final String UNREADABLE_REQUESTS = "logging.level.org.apache.coyote.http11.Http11Processor";

    /** Tomcat quotes a cookie that it cannot read, which may be somebody's secret, at INFO and in two lines. */
    private static final String UNREADABLE_COOKIES = "logging.level.org.apache.tomcat.util.http.parser.Cookie";

    static final String PATTERN = "%d{yyyy-MM-dd HH:mm:ss.SSS} [%thread] [%X{traceId:-}] %-5level %logger{36} - "
            + MESSAGE + "%n" + EXCEPTION;

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        environment
                .getPropertySources()
                .addLast(new MapPropertySource(
                        "waybillGuardDefaults",
                        Map.of(
                                "logging.pattern.console",
                                PATTERN,
                                "logging.pattern.file",
                                PATTERN,
                                UNREADABLE_REQUESTS,
                                "warn",
                                UNREADABLE_COOKIES,
                                "warn")));
    }
}
