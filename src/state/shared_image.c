// Shared values in images.
#include "state/capture.h"
#include "state/restore.h"

cosm_result cosmi_capture_shared(const struct capture *capture, struct world_image *image) {
    (void)capture;
    (void)image;
    return COSM_OK;
}

cosm_result cosmi_prepare_shared(struct restore *restore) {
    (void)restore;
    return COSM_OK;
}

void cosmi_restore_shared(struct restore *restore) {
    (void)restore;
}

void cosmi_cancel_shared(struct restore *restore) {
    (void)restore;
}

cosm_result cosmi_shared_image_fault(struct memory *memory, const struct world_image *image,
                                     const char **out_fault) {
    (void)memory;
    (void)image;
    *out_fault = NULL;
    return COSM_OK;
}
