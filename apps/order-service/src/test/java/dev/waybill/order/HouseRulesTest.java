package dev.waybill.order;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.waybill.servicetestkit.ServiceArchitecture;

@AnalyzeClasses(packages = HouseRulesTest.SERVICE, importOptions = ImportOption.DoNotIncludeTests.class)
class HouseRulesTest {

    static final String SERVICE = "dev.waybill.order";

    @ArchTest
    static final ArchRule arrowsGoOneWay = ServiceArchitecture.packagesAreFreeOfCycles(SERVICE);

    @ArchTest
    static final ArchRule theDomainKnowsNeitherItsCallersNorHttp =
            ServiceArchitecture.theDomainKnowsNeitherItsCallersNorHttp(SERVICE);
}
