package dev.waybill.starter.admin;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** A controller of the admin API: {@link AdminAccess} stands before each of its methods, whatever its path. */
@RestController
@RequestMapping(AdminApi.PATH)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@interface AdminApi {

    /** Where all of it is. */
    String PATH = "/waybill/api";
}
