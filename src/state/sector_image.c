// Sector components in images.
#include "state/capture.h"
#include "state/restore.h"

cosm_result cosmi_capture_sectors(const struct capture *capture, struct world_image *image) {
    (void)capture;
    (void)image;
    return COSM_OK;
}

cosm_result cosmi_prepare_sectors(struct restore *restore) {
    (void)restore;
    return COSM_OK;
}

void cosmi_restore_sectors(struct restore *restore) {
    (void)restore;
}

void cosmi_cancel_sectors(struct restore *restore) {
    (void)restore;
}

const char *cosmi_sector_image_fault(const struct world_image *image) {
    (void)image;
    return NULL;
}

uint32_t cosmi_count_sectors(const struct cosm_batch *batch, uint32_t world) {
    (void)batch;
    (void)world;
    return 0;
}
