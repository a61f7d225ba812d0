package dev.waybill.marketplace;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.waybill.servicetestkit.ServiceArchitecture;

@AnalyzeClasses(packages = HouseRulesTest.SERVICE, importOptions = ImportOption.DoNotIncludeTests.class)
class HouseRulesTest {

    static final String SERVICE = "dev.waybill.marketplace";

    @ArchTest
    static final ArchRule arrowsGoOneWay = ServiceArchitecture.packagesAreFreeOfCycles(SERVICE);

    @ArchTest
    static final ArchRule theDomainKnowsNeitherItsCallersNorHttp =
            ServiceArchitecture.theDomainKnowsNeitherItsCallersNorHttp(SERVICE);
}
