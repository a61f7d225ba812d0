package dev.waybill.starter.admin;

import java.util.Locale;

/** What a refused call gets as the data of its answer: the error's name for programs, and a sentence for people. */
record AdminFailure(String error, String message) {

    static AdminFailure of(AdminError error, String message) {
        return new AdminFailure(error.name().toLowerCase(Locale.ROOT), message);
    }
}
