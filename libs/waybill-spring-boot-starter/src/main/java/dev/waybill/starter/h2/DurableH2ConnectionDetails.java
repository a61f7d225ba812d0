package dev.waybill.starter.h2;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** The details as the application gives them, with another address. */
record DurableH2ConnectionDetails(JdbcConnectionDetails given) implements JdbcConnectionDetails {

    @Override
    public String getJdbcUrl() {
        return DurableH2Url.of(given.getJdbcUrl());
    }

    @Override
    public @Nullable String getUsername() {
        return given.getUsername();
    }

    @Override
    public @Nullable String getPassword() {
        return given.getPassword();
    }

    @Override
    public String getDriverClassName() {
        return given.getDriverClassName();
    }

    @Override
    public @Nullable String getXaDataSourceClassName() {
        return given.getXaDataSourceClassName();
    }
}
