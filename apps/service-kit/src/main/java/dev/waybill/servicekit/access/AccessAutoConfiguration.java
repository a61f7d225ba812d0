package dev.waybill.servicekit.access;

import dev.waybill.servicekit.AccessRules;
import dev.waybill.servicekit.AnsweredLikeUnknown;
import dev.waybill.servicekit.Caller;
import dev.waybill.servicekit.Roles;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.MacAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationConverter;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;

/**
 * Who may do what. With a secret or an issuer every request needs a token, but for the health check and what the service's
 * {@link AccessRules} open; metrics and all else of the actuator are an operator's; without either the service is open, on a loopback address only.
 */
@AutoConfiguration(before = {OAuth2ResourceServerAutoConfiguration.class, ServletWebSecurityAutoConfiguration.class})
@EnableConfigurationProperties(AccessSettings.class)
@EnableMethodSecurity
class AccessAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(AccessAutoConfiguration.class);

    static {
        SpringDocUtils.getConfig().addRequestWrapperToIgnore(Caller.class);
    }

    @Bean
    static AccessMode accessMode(Environment environment) {
        return AccessMode.of(environment);
    }

    @Bean
    OAuth2TokenValidator<Jwt> tokenRules() {
        return new TokenRules();
    }

    /** Only HS256: a token's own word on its algorithm is not asked. */
    @Bean
    @ConditionalOnProperty(AccessSettings.SECRET_PROPERTY)
    JwtDecoder jwtDecoder(AccessMode mode, AccessSettings settings, OAuth2TokenValidator<Jwt> tokenRules) {
        NimbusJwtDecoder decoder = NimbusJwtDecoder.withSecretKey(settings.key())
                .macAlgorithm(MacAlgorithm.HS256)
                .build();
        decoder.setJwtValidator(JwtValidators.createDefaultWithValidators(List.of(tokenRules)));
        return decoder;
    }

    @Bean
    SecurityFilterChain accessFilterChain(AccessMode mode, HttpSecurity http, ObjectProvider<AccessRules> rules) {
        http.csrf(AbstractHttpConfigurer::disable) // a token is sent by a program's will, never by a browser's habit
                .requestCache(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS));
        return mode == AccessMode.OPEN ? open(http) : withTokens(http, rules);
    }

    private static SecurityFilterChain open(HttpSecurity http) {
        log.warn("[Access] open to everybody on this machine: no {} and no issuer", AccessSettings.SECRET_PROPERTY);
        return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .addFilterBefore(new SameOriginFilter(), AuthorizationFilter.class)
                .build();
    }

    private static SecurityFilterChain withTokens(HttpSecurity http, ObjectProvider<AccessRules> rules) {
        Refusals refusals = new Refusals(new WrongTokens(System::nanoTime));
        return http.authorizeHttpRequests(requests -> {
                    requests.requestMatchers("/actuator/health", "/actuator/health/**")
                            .permitAll();
                    requests.requestMatchers("/actuator/**")
                            .hasRole(Roles.OPERATOR); // figures tell of every user's business
                    rules.orderedStream().forEach(rule -> rule.apply(requests));
                    requests.anyRequest().authenticated();
                })
                .oauth2ResourceServer(server -> server.withObjectPostProcessor(refusedBy(refusals))
                        .jwt(jwt -> jwt.jwtAuthenticationConverter(roles()))
                        .authenticationEntryPoint(refusals)
                        .accessDeniedHandler(refusals))
                .exceptionHandling(
                        failures -> failures.authenticationEntryPoint(refusals).accessDeniedHandler(refusals))
                .build();
    }

    /** Else an issuer that is away would leave the chain as a failure of ours. */
    private static ObjectPostProcessor<BearerTokenAuthenticationFilter> refusedBy(Refusals refusals) {
        return new ObjectPostProcessor<>() {
            @Override
            public <O extends BearerTokenAuthenticationFilter> O postProcess(O filter) {
                filter.setAuthenticationFailureHandler(refusals::commence);
                return filter;
            }
        };
    }

    private static JwtAuthenticationConverter roles() {
        JwtAuthenticationConverter converter = new JwtAuthenticationConverter();
        converter.setJwtGrantedAuthoritiesConverter(TokenRules::authoritiesOf);
        return converter;
    }

    @Bean
    CallerResolver callerResolver(AccessMode mode) {
        return new CallerResolver(mode);
    }

    @Bean
    AnsweredLikeUnknown answeredLikeUnknown() {
        return new AnsweredLikeUnknown();
    }
}
