import { Module } from '@nestjs/common';
import { BeneficiariesController } from './beneficiaries.controller.js';

@Module({ controllers: [BeneficiariesController] })
export class BeneficiariesModule {}
