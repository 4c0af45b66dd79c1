import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsTimeZone,
  Matches,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { beneficiaryKinds } from '../../packages/core-adapter/core.records.js';
import { bookedBalances, holders, limitKinds, productKinds, type ProductCredit } from '../endpoint/bank-product.js';
import { permissionCodes } from '../open-banking/permissions.js';
import { endpointNames } from '../resources/endpoints.js';
import { versionNames } from '../versions/versions.js';
import { IsListOf } from './is-list-of.js';
import type { ProfileData, ProfileProduct } from './profile.js';
import type { FundsConfirmationRule, ServiceRules, UnattendedAccessRule } from './service-rules.js';

/** May be absent. `IsOptional` would admit null as well, which no member may be. */
const Optional = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined);

// The form of a profile, also in a bank's JSON file. `ProfileData` and `BankProduct` describe the members.

class CreditDto implements ProductCredit {
  @IsIn(['overdraft', 'credit-line']) kind!: ProductCredit['kind'];
  @Optional() @IsIn(limitKinds) limit?: NonNullable<ProductCredit['limit']>;
}

export class ProductDto implements ProfileProduct {
  @IsListOf(endpointNames) endpoints!: ProfileProduct['endpoints'];
  @IsIn(productKinds) kind!: ProfileProduct['kind'];
  @Optional() @IsIn(holders) holder?: NonNullable<ProfileProduct['holder']>;
  @Optional() @IsIn(['account', 'card']) identifiedBy?: NonNullable<ProfileProduct['identifiedBy']>;
  @Optional() @IsIn(bookedBalances) bookedBalance?: NonNullable<ProfileProduct['bookedBalance']>;
  @Optional() @IsObject() @ValidateNested() @Type(() => CreditDto) credit?: CreditDto;
  @Optional() @IsBoolean() postedOnly?: boolean;
  @Optional() @IsListOf(beneficiaryKinds) beneficiaries?: NonNullable<ProfileProduct['beneficiaries']>;
}

class UnattendedAccessDto implements UnattendedAccessRule {
  @IsIn(['observe', 'enforce']) mode!: UnattendedAccessRule['mode'];
  @IsInt() @Min(1) @Max(1_000) limit!: number;
}

class FundsConfirmationDto implements FundsConfirmationRule {
  @IsBoolean() countOverdraft!: boolean;
  @IsIn(['same', 'not-compared']) name!: FundsConfirmationRule['name'];
}

class RulesDto implements Partial<ServiceRules> {
  @Optional() @IsInt() @Min(1) @Max(86_400) authenticationWindowSeconds?: number;
  @Optional() @IsInt() @Min(0) @Max(3_650) exemptHistoryDays?: number;
  @Optional() @IsInt() @Min(1) @Max(8_760) consentAuthorisationHours?: number;
  @Optional() @IsInt() @Min(15) @Max(1_440) authorisationMinutes?: number;
  @Optional() @IsIn(['cancelled', 'authorised']) statusAfterWithdrawal?: ServiceRules['statusAfterWithdrawal'];
  @Optional() @IsObject() @ValidateNested() @Type(() => UnattendedAccessDto) unattendedAccess?: UnattendedAccessDto;
  @Optional() @IsObject() @ValidateNested() @Type(() => FundsConfirmationDto) fundsConfirmation?: FundsConfirmationDto;
  @Optional() @IsListOf(versionNames) @ArrayNotEmpty() versions?: ServiceRules['versions'];
  @Optional() @IsInt() @Min(1) @Max(3_650) eventDays?: number;
  @Optional() @IsInt() @Min(25) @Max(1_000) pageSize?: number;
  @Optional()
  @Matches(/^[A-Za-z][A-Za-z0-9]{0,15}$/, { message: 'errorCodePrefix must be 1 to 16 letters and digits' })
  errorCodePrefix?: string;
  @Optional() @IsTimeZone() timeZone?: string;
  @Optional() @IsIn(['refuse', 'partial']) unreachableCore?: ServiceRules['unreachableCore'];
}

export class ProfileDto implements ProfileData {
  @Matches(/^[\w.-]{1,64}$/, { message: 'name must be 1 to 64 letters, digits, dots, dashes and underscores' })
  name!: string;
  /** Each product is checked as a {@link ProductDto}. */
  @IsObject() products!: ProfileData['products'];
  @IsListOf(permissionCodes) refusedPermissions!: ProfileData['refusedPermissions'];
  @IsIn(['magnitude', 'signed']) amounts!: ProfileData['amounts'];
  @IsIn(['empty', 'expected']) pendingFields!: ProfileData['pendingFields'];
  @Optional() @IsObject() @ValidateNested() @Type(() => RulesDto) rules?: RulesDto;
}
