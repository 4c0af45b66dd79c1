import 'reflect-metadata';
import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsObject, Matches, ValidateIf, ValidateNested } from 'class-validator';
import { beneficiaryKinds } from '../../packages/core-adapter/core.records.js';
import type { ProductCredit } from '../endpoint/bank-product.js';
import { accountSubTypes, accountTypes } from '../open-banking/account-types.js';
import { bookedBalanceTypes, creditLimitTypes } from '../open-banking/balance-types.js';
import { permissionCodes } from '../open-banking/permissions.js';
import { endpointNames } from '../resources/endpoints.js';
import { IsListOf } from './is-list-of.js';
import type { ProfileData, ProfileProduct } from './profile.js';

/** May be absent. `IsOptional` would admit null as well, which no member may be. */
const Optional = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined);

// The form of a profile, also in a bank's JSON file. `ProfileData` and `BankProduct` describe the members.

class CreditDto implements ProductCredit {
  @IsIn(['overdraft', 'credit-line']) kind!: ProductCredit['kind'];
  @Optional() @IsIn(creditLimitTypes) limitType?: NonNullable<ProductCredit['limitType']>;
}

export class ProductDto implements ProfileProduct {
  @IsListOf(endpointNames) endpoints!: ProfileProduct['endpoints'];
  @IsIn(accountSubTypes) accountSubType!: ProfileProduct['accountSubType'];
  @Optional() @IsIn(accountTypes) accountType?: NonNullable<ProfileProduct['accountType']>;
  @Optional() @IsIn(['account', 'card']) identifiedBy?: NonNullable<ProfileProduct['identifiedBy']>;
  @Optional() @IsIn(bookedBalanceTypes) bookedBalance?: NonNullable<ProfileProduct['bookedBalance']>;
  @Optional() @IsObject() @ValidateNested() @Type(() => CreditDto) credit?: CreditDto;
  @Optional() @IsBoolean() postedOnly?: boolean;
  @Optional() @IsListOf(beneficiaryKinds) beneficiaries?: NonNullable<ProfileProduct['beneficiaries']>;
}

export class ProfileDto implements ProfileData {
  @Matches(/^[\w.-]{1,64}$/, { message: 'name must be 1 to 64 letters, digits, dots, dashes and underscores' })
  name!: string;
  /** Each product is checked as a {@link ProductDto}. */
  @IsObject() products!: ProfileData['products'];
  @IsListOf(permissionCodes) refusedPermissions!: ProfileData['refusedPermissions'];
  @IsIn(['magnitude', 'signed']) amounts!: ProfileData['amounts'];
  @IsIn(['empty', 'expected']) pendingFields!: ProfileData['pendingFields'];
}
